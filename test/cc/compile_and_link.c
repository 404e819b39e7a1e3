// One command, one C file: the thin slice.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.c && cd %t && %roundtrip --run=x '$CC -O2 a.c -o prog'
#include <stdio.h>
int main(int argc, char **argv) { return printf("%d %s\n", argc, argv[1]) == 4 ? 7 : 1; }
