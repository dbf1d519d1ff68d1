$afterstate solve --stats table
