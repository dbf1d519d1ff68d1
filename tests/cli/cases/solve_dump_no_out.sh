$afterstate solve --dump table --age 8
