"$afterstate" bench --xylophone
