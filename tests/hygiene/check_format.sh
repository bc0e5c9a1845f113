#!/bin/sh
# Every source file is as clang-format leaves it. usage: check_format.sh SOURCE_DIR
set -eu
cd "$1"
files=$(find shared protocol server client tools tests bench -name '*.h' -o -name '*.cpp')
[ -n "$files" ] || { echo "nothing to check"; exit 1; }
# shellcheck disable=SC2086
clang-format --dry-run --Werror $files
