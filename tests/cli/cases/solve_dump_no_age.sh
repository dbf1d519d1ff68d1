$afterstate solve --dump table --out arrays
