$afterstate query nowhere 1200
