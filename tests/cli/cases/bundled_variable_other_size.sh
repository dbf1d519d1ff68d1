AFTERSTATE_NET=$(dirname "$0")/../networks/one.net "$afterstate" hint 1230000000000010 2>&1 | sed 's|: .*networks/|: |'
exit "${PIPESTATUS[0]}"
