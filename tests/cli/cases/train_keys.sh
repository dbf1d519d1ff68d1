"$afterstate" train --keys
