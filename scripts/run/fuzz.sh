# The fuzz targets. Sourced by ./run.
# shellcheck shell=bash

# Maximum input length of each fuzz target, in bytes. Stateful targets create objects such as a
# server or a client for each input, which takes a thousand times as long.
declare -A fuzz_lengths=([packet_opener]=1400 [handshake]=1300 [lan]=1300 [token]=600 [enet_firewall]=1300
  [admission]=1024 [client_to_server]=1200 [server_to_client]=4096 [snapshot_round_trip]=2048 [scene_file]=4096
  [enet_host]=2048 [server]=2048 [client]=2048 [recording]=4096
  [api]=2048 [gate_framing]=2048)
fuzz_stateless="packet_opener handshake lan token enet_firewall client_to_server server_to_client
  snapshot_round_trip scene_file gate_framing"
fuzz_stateful="admission enet_host server client recording api"

fuzz_runs=100000 fuzz_targets=() fuzz_packs=false

fuzz_arguments() {  # fuzz_arguments [TARGET...] [--runs N] [--pack]
  while [ $# -gt 0 ]; do
    case $1 in
      --runs) [ -n "${2:-}" ] || refuse "fuzz: --runs needs a number"; fuzz_runs=$2; shift 2 ;;
      --pack) fuzz_packs=true; shift ;;
      # shellcheck disable=SC2086
      *) [ -n "${fuzz_lengths[$1]:-}" ] ||
           refuse "fuzz: unknown target '$1'; targets:" $fuzz_stateless "$fuzz_stateful$(suggest "$1" --runs --pack $fuzz_stateless $fuzz_stateful)"
         fuzz_targets+=("$1"); shift ;;
    esac
  done
  [[ $fuzz_runs =~ ^[0-9]+$ ]] || refuse "fuzz: --runs needs a whole number, not '$fuzz_runs'"
}

fuzz() {  # fuzz [TARGET...] [--runs N] [--pack]: keeps new inputs in build/fuzz/corpus, failing ones in build/fuzz/found
  fuzz_targets=()
  fuzz_arguments "$@"
  local runs=$fuzz_runs targets=("${fuzz_targets[@]}") target seeds=build/fuzz/seeds
  # shellcheck disable=SC2206
  [ ${#targets[@]} -gt 0 ] || targets=($fuzz_stateless $fuzz_stateful)
  build fuzz "${targets[@]/#/fuzz_}" fuzz_write_seeds
  if [ $fuzz_packs = true ]; then
    rm -rf "$seeds"
    quietly build/fuzz/bin/fuzz_write_seeds "$seeds" scenes
    for target in "${targets[@]}"; do pack_corpus "$target" "$seeds/$target"; done
    return
  fi
  for target in "${targets[@]}"; do fuzz_one "$target" "$runs"; done
}

corpus_folders() {  # corpus_folders TARGET: prints the folders with the stored inputs of a target
  echo "build/fuzz/tests/fuzz/corpus/$1"
  [ ! -d "tests/fuzz/corpus/$1" ] || echo "tests/fuzz/corpus/$1"
}

fuzz_one() {  # fuzz_one TARGET RUNS: prints one line of results
  local target=$1 new=build/fuzz/corpus/$1 log=build/fuzz/$1.log began=$SECONDS
  mkdir -p "$new" build/fuzz/found
  # shellcheck disable=SC2046
  if ! "build/fuzz/bin/fuzz_$target" -runs="$2" -max_len="${fuzz_lengths[$target]}" -timeout=60 \
    -entropic=0 -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="build/fuzz/found/$target-" \
    "$new" $(corpus_folders "$target") >"$log" 2>&1; then
    tail -40 "$log" >&2
    die "fuzz_$target failed (the input is in build/fuzz/found, the full log is $log)"
  fi
  # shellcheck disable=SC2046
  printf '%-20s %9s executions  %5d s  corpus %d + %d files\n' "$target" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" $((SECONDS - began)) \
    "$(find $(corpus_folders "$target") -type f | wc -l)" "$(find "$new" -type f | wc -l)"
}

# Packs a minimised set of inputs with the same coverage as the stored, new and seed inputs of a
# target together.
pack_corpus() {  # pack_corpus TARGET SEEDS
  local target=$1 seeds=$2 new=build/fuzz/corpus/$1 merged=build/fuzz/merged/$1 log=build/fuzz/$1-merge.log
  rm -rf "$merged"
  mkdir -p "$merged" "$new" "$seeds"
  # shellcheck disable=SC2046
  "build/fuzz/bin/fuzz_$target" -merge=1 -max_len="${fuzz_lengths[$target]}" -timeout=60 -rss_limit_mb=4096 \
    "$merged" "$seeds" $(corpus_folders "$target") "$new" >"$log" 2>&1 ||
    { tail -40 "$log" >&2; die "fuzz_$target -merge=1 failed (the full log is $log)"; }
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$merged" -cJf "tests/fuzz/corpus/$target.tar.xz" .
  printf '%-20s %4d files, %d kB\n' "$target" "$(find "$merged" -type f | wc -l)" \
    $(($(stat -c %s "tests/fuzz/corpus/$target.tar.xz") / 1000))
}
