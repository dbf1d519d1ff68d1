"$afterstate" net xylophone
