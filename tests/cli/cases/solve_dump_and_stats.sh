$afterstate solve --dump table --age 8 --stats table --out arrays
