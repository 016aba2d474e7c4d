// --what stands in a comment is not read
const char* const right = "--size: found";
const char* const text =
    "Example: startle a --size 3 \\\n"
    "         --out here\n";
