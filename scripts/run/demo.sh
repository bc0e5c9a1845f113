# The demo: a server and two clients. Sourced by ./run.
# shellcheck shell=bash

# Compares the hash logs of a server ($1) and of a client ($2), which have lines "TICK HASH". Prints
# three words: the number of common ticks, the number of those with different hashes, and the first
# of these ticks, if there is one.
compare_hashes() {
  awk 'NR == FNR { hash[$1] = $2; next }
       $1 in hash { ++common; if (hash[$1] != $2) { if (!different++) first = $1 } }
       END { printf "%d %d %s\n", common, different, first }' "$1" "$2"
}

wait_for_port() {  # wait_for_port LOG PID: prints the port that the server listens at, according to its log
  local port
  for _ in $(seq 100); do
    # The server's subshell may not have created the log yet.
    port=$([ ! -f "$1" ] || sed -n 's/.*listening at [][0-9a-f.:%]*:\([0-9]*\).*/\1/p' "$1")
    [ -z "$port" ] || { echo "$port"; return; }
    kill -0 "$2" 2>/dev/null || { cat "$1" >&2; die "the server did not start"; }
    sleep 0.1
  done
  die "the server did not start listening within 10 seconds: see $1"
}

has_display() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ "${JOSTLE_OFFSCREEN:-0}" = 0 ]; }

demo_scene=crates demo_seconds=10

demo_arguments() {  # demo_arguments [--scene NAME] [--seconds N]
  while [ $# -gt 0 ]; do
    case $1 in
      --scene) [ -n "${2:-}" ] || refuse "demo: --scene needs a name or a path"; demo_scene=$2; shift 2 ;;
      --seconds) [ -n "${2:-}" ] || refuse "demo: --seconds needs a number"; demo_seconds=$2; shift 2 ;;
      *) refuse "demo: unknown argument '$1'; accepted: --scene NAME, --seconds N$(suggest "$1" --scene --seconds)" ;;
    esac
  done
  has_scene "$demo_scene" ||
    refuse "demo: there is no scene '$demo_scene'; accepted: the path of a scene file, or one of $(scene_names | xargs)$(
      # shellcheck disable=SC2046
      suggest "$demo_scene" $(scene_names))"
  [[ $demo_seconds =~ ^0*([6-9]|[1-9][0-9]{1,4})$ ]] ||
    refuse "demo: --seconds must be a whole number from 6 to 99999, not '$demo_seconds': the demo compares 300 ticks"
}

has_scene() {  # has_scene NAME_OR_PATH: succeeds if the server finds the scene
  case $1 in
    /*) [ -f "$1" ] ;;
    */* | *.json) [ -f "$caller/$1" ] ;;
    *) [ -f "${JOSTLE_SCENES:-}/$1.scene.json" ] || [ -f "$caller/scenes/$1.scene.json" ] || [ -f "scenes/$1.scene.json" ] ;;
  esac
}

demo() {
  unset JOSTLE_TOKEN  # the token may be for another server
  local scene=$demo_scene seconds=$demo_seconds
  local out=$root/build/demo
  mkdir -p "$out"
  has_display || rm -f "$out"/client*  # results of an earlier run
  # With a display, use the default port if it is free, so that other machines find the server and a
  # later demo appears in the client's list of recent servers.
  local where=0
  ! has_display || ! is_free 7777 || where=7777
  (cd "$caller" && exec "$bin/jostled" --scene "$scene" --port "$where" --sandbox --log warn --name demo \
    --hash-log "$out/server.hashes") >"$out/server.txt" 2>&1 &
  server=$!
  trap 'kill $server 2>/dev/null || true' EXIT
  local port; port=$(wait_for_port "$out/server.txt" "$server")
  if has_display; then demo_in_windows "$out" "$port"; else demo_offscreen "$out" "$port" "$seconds"; fi
}

is_free() {  # is_free PORT: succeeds if no program listens at that UDP port
  ! cat /proc/net/udp /proc/net/udp6 2>/dev/null | grep -qi "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$1") "
}

demo_in_windows() {
  say "WASD moves, Space jumps, Shift-click shoots, Ctrl-drag grabs, H shows all keys. Close both windows to end."
  "$bin/jostle-view" "127.0.0.1:$2" --name one --column 1/2 & local one=$!
  "$bin/jostle-view" "127.0.0.1:$2" --name two --column 2/2 & local two=$!
  local failed=0
  wait $one || failed=1  # still wait for the other window, which may be in use
  wait $two || failed=1
  kill -TERM "$server"; wait "$server" || true
  cat "$1/server.txt"
  return $failed
}

demo_offscreen() {
  local out=$1 port=$2 seconds=$3 failed=0 clients=()
  say "no display: two clients run offscreen for $seconds s"
  for i in 1 2; do
    "$bin/jostle-view" "127.0.0.1:$port" --name "player $i" --offscreen --duration "$seconds" \
      --script demo --screenshot "$out/client$i.png" --hash-log "$out/client$i.hashes" --summary \
      >"$out/client$i.txt" 2>&1 &
    clients+=($!)
  done
  for i in 1 2; do
    wait "${clients[$((i - 1))]}" || { failed=1; say "client $i failed"; }
  done
  kill -TERM "$server"; wait "$server" || { failed=1; say "the server failed"; }
  cat "$out"/client1.txt "$out"/client2.txt "$out/server.txt"
  for i in 1 2; do
    local common different first
    read -r common different first < <(compare_hashes "$out/server.hashes" "$out/client$i.hashes")
    if [ "$different" != 0 ]; then
      say "client $i computed a different world in $different of $common ticks, first in tick $first"; failed=1
    elif [ "$common" -lt 300 ]; then
      say "client $i has only $common ticks in common with the server, at least 300 are required"; failed=1
    else
      echo "client $i: $common world hashes equal to the server's"
    fi
    [ -s "$out/client$i.png" ] || { say "client $i saved no picture"; failed=1; }
  done
  [ "$failed" = 0 ] || exit 1
  echo "pictures: $(shown_path "$out/client1.png") $(shown_path "$out/client2.png")"
}
