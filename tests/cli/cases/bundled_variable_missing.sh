AFTERSTATE_NET=nothing.net "$afterstate" eval --games 2
