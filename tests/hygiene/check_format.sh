#!/bin/sh
# Checks that every source file is formatted by clang-format. usage: check_format.sh SOURCE_DIR
set -eu
cd "$1"
files=$(find shared api protocol server client gate web/wasm tools tests bench examples -name '*.h' -o -name '*.c' -o -name '*.cpp')
[ -n "$files" ] || { echo "no source files found"; exit 1; }
# shellcheck disable=SC2086
clang-format --dry-run --Werror $files
