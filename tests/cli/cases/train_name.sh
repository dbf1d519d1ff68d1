# Recipes that come along are found by name, in folders too.
for name in tiny-3x3 jaskowski-2-td quick-4x5; do
    "$afterstate" train $name --dry-run --json 2>&1 | grep -E '"(weights|lookups)"|^afterstate'
done
