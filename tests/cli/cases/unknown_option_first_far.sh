"$afterstate" --xylophone
