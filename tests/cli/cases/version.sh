# Compiler and instructions differ from machine to machine; their form does not.
"$afterstate" --version |
    sed -E -e "1s/[0-9]+\.[0-9]+\.[0-9]+\$/VERSION/" \
        -e "2s/^(gcc|clang) [^,]+, (native|portable), with(out)? BMI2, with(out)? AVX2, with(out)? AVX-512\$/COMPILER, KIND, LEVEL/"
for word in -V version; do
    [ "$("$afterstate" $word)" = "$("$afterstate" --version)" ] || echo "$word prints something else"
done
