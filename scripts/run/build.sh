# Configuring and building. Sourced by ./run.
# shellcheck shell=bash

# Runs a command whose output goes to the terminal. Without a terminal, prints a line every 20 s
# that shows that the command still runs. Returns the command's exit code.
with_progress() {  # with_progress WHAT COMMAND...
  local what=$1 began=$SECONDS ticker code=0; shift
  if [ -t 2 ]; then "$@"; return; fi
  while sleep 20; do say "$what, $((SECONDS - began)) s"; done &
  ticker=$!
  ("$@") || code=$?  # in a subshell, because die() must not leave the ticker behind
  kill "$ticker" 2>/dev/null; wait "$ticker" 2>/dev/null || true
  return $code
}

build() {  # build PRESET [TARGET...]
  local preset=$1; shift
  [ -f "build/$preset/build.ninja" ] || { say "configuring build/$preset"; quietly cmake --preset "$preset"; }
  say "building build/$preset${*:+: $*}"
  if [ -t 2 ]; then ninja -C "build/$preset" "$@" >&2; return; fi
  local log; log=$(mktemp)
  with_build_progress "$log" ninja -C "build/$preset" "$@" >"$log" 2>&1 || { tail -60 "$log" >&2; die "the build failed"; }
  rm -f "$log"
}

# Runs a build whose output goes to LOG, and prints ninja's last line from it every 20 s.
with_build_progress() {  # with_build_progress LOG COMMAND...
  local log=$1 began=$SECONDS ticker code=0; shift
  while sleep 20; do
    say "building, $((SECONDS - began)) s: $(tail -n 1 "$log" | cut -c1-100)"
  done 2>&3 &
  ticker=$!
  "$@" || code=$?
  kill "$ticker" 2>/dev/null; wait "$ticker" 2>/dev/null || true
  return $code
}

quietly() {
  local log; log=$(mktemp)
  "$@" >"$log" 2>&1 || { cat "$log" >&2; die "failed: $*"; }
  rm -f "$log"
}
