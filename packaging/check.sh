#!/bin/bash
# Checks the packages in a bare Debian: installs them, builds and runs the examples as the guides
# say, uses the programs, and removes the packages again. `./run package --check` runs it there, as
# root, with the packages in the folder of this script.
set -euo pipefail
packages=$(dirname "$(readlink -f "$0")")
fail() { printf 'check: %s\n' "$*" >&2; exit 1; }
step() { printf 'check: %s\n' "$*"; }
quietly() { "$@" >/tmp/check.log 2>&1 || { tail -40 /tmp/check.log >&2; fail "failed: $*"; }; }

# Lists everything outside of the folders that other packages and this check write.
list_files() { find / -xdev \( -path /proc -o -path /tmp -o -path /root -o -path /var/cache -o -path /var/lib -o -path /var/log -o -path /packages -o -path /dev -o -path /etc/ld.so.cache \) -prune -o -print | sort; }

# Ends the check unless a program prints what a file of examples/expected contains.
expect() {  # expect NAME COMMAND...
  local name=$1; shift
  "$@" >"/tmp/$name.out" 2>/tmp/check.log || { cat /tmp/check.log >&2; fail "$name: failed: $*"; }
  diff -u "expected/$name.txt" "/tmp/$name.out" || fail "$name: unexpected output"
}

expect_client() {  # expect_client SERVER CLIENT: the client's output beside a server that plays on
  "$1" 17777 1000000 >/dev/null 2>&1 &
  local server=$!
  expect hello_client "$2" 127.0.0.1:17777
  kill "$server"; wait "$server" 2>/dev/null || true
}

step "installing what the guides need besides jostle"
quietly apt-get update -q
quietly apt-get install -qy --no-install-recommends g++ cmake make pkg-config python3-numpy python3-matplotlib man-db \
  fonts-dejavu-core libgl1 libegl1
# The packages on which those of jostle depend stay installed when jostle is removed.
for package in "$packages"/*.deb; do
  others=$(dpkg-deb -f "$package" Depends | sed -E 's/libjostle0 \([^)]*\)(, )?//')
  [ -z "$others" ] || quietly apt-get satisfy -qy --no-install-recommends "$others"
done
list_files >/tmp/before

step "installing the packages"
quietly apt-get install -qy --no-install-recommends "$packages"/*.deb

step "the programs find their scenes"
mkdir /tmp/empty; cd /tmp/empty
quietly jostle record --scene crates --players 2 --ticks 120 -o run.jrec
quietly jostle verify run.jrec
quietly jostled --scene pyramid --port 0 --duration 1
for program in jostle jostled jostle-view jostle-gate; do
  quietly "$program" --version
  quietly man -w "$program"
  [ -s "/usr/share/bash-completion/completions/$program" ] || fail "$program has no completion"
done

step "the gate serves its page, under a user of its own"
jostled --scene pyramid --port 0 --web 127.0.0.1:17780 >/tmp/web.txt 2>&1 &
server=$!
for _ in $(seq 100); do ! grep -q 'http://127.0.0.1:17780/' /tmp/web.txt || break; sleep 0.2; done
for file in "" app.js style.css jostle_client.wasm jostle_engine.wasm; do
  python3 -c 'import sys, urllib.request; sys.exit(not urllib.request.urlopen(sys.argv[1]).read())' "http://127.0.0.1:17780/$file" ||
    fail "the gate does not serve '/$file': $(cat /tmp/web.txt)"
done
kill "$server"; wait "$server" 2>/dev/null || true
id jostle-gate >/dev/null || fail "the package has not made the user jostle-gate"
grep -qx User=jostle-gate /lib/systemd/system/jostle-gate.service /usr/lib/systemd/system/jostle-gate.service 2>/dev/null ||
  fail "the gate's service has no user of its own"

step "the examples, with CMake"
cp -r /usr/share/doc/libjostle-dev/examples /tmp/examples; cd /tmp/examples
quietly cmake -S . -B build
quietly cmake --build build
for name in hello_physics hello_physics_cpp rollback hello_server; do expect "$name" "build/$name"; done
expect_client build/hello_server build/hello_client

step "the examples, with pkg-config"
mkdir plain
# shellcheck disable=SC2046
{
  quietly cc hello_physics.c $(pkg-config --cflags --libs jostle) -o plain/hello_physics
  quietly cc hello_client.c $(pkg-config --cflags --libs jostle-client) -o plain/hello_client
  for name in hello_physics rollback hello_server; do
    [ "$name" = hello_physics ] || quietly c++ -std=c++20 "$name.cpp" $(pkg-config --cflags --libs jostle) -o "plain/$name"
    expect "$name" "plain/$name"
  done
  quietly c++ -std=c++20 hello_physics.cpp $(pkg-config --cflags --libs jostle) -o plain/hello_physics_cpp
}
expect hello_physics_cpp plain/hello_physics_cpp
expect_client plain/hello_server plain/hello_client

step "the examples in Python"
for name in goal energy; do expect "$name" python3 "$name.py"; done

step "one world through C, C++ and Python"
hash=$(python3 "$packages/library/same_hash.py" --installed cc c++) || fail "the hashes differ: $hash"
step "hash $hash"

step "removing the packages"
cd /
quietly apt-get purge -qy libjostle0 libjostle-dev jostle python3-jostle
list_files >/tmp/after
diff /tmp/before /tmp/after || fail "the removed packages have left files behind"
step "everything holds"
