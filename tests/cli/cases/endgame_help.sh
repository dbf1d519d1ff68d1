"$afterstate" endgame --help
"$afterstate" endgame build --help
"$afterstate" endgame info --help
