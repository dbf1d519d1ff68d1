"$afterstate" train --out nowhere
