"$afterstate" xylophone
