"$afterstate" train --help
