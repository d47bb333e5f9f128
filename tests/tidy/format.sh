#!/usr/bin/env bash
# Every C++ file is as clang-format leaves it. Versions differ in taste, so another one than CI's 14 is skipped. Usage: format.sh FLEETSIM SOURCE_DIR
set -u
cd "$2" || exit 2
if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
  echo "skipped: needs clang-format 14"
  exit 0
fi
mapfile -t files < <(find sim topology scenarios reports tests -name '*.cpp' -o -name '*.hpp' | sort)
((${#files[@]} > 20)) || { echo "found only ${#files[@]} files"; exit 1; }
clang-format --dry-run -Werror "${files[@]}"
