# Checks of the arguments of ./run, before anything is installed or built. Sourced by ./run.
# shellcheck shell=bash

bench_kinds="physics particles snapshots link server frames clients stalls links python"
commands="demo test fuzz server view tool bench accuracy ablation matrix gallery tour docs package format build site web"

scene_names() { for file in scenes/*.scene.json; do basename "$file" .scene.json; done; }
station_names() { python3 tests/programs/tour.py "$bin" "$root" --list; }

# Returns true if the first argument equals one of the others.
is_one_of() {  # is_one_of WORD ACCEPTED...
  local word=$1 accepted; shift
  for accepted in "$@"; do
    [ "$word" != "$accepted" ] || return 0
  done
  return 1
}

# Ends the script if a word is not one of the accepted words. WHERE begins the error, KIND names the word.
check_word() {  # check_word WHERE KIND WORD ACCEPTED...
  local where=$1 kind=$2 word=$3; shift 3
  is_one_of "$word" "$@" || refuse "$where: unknown $kind '$word'; accepted: $*$(suggest "$word" "$@")"
}

# Ends the script if an argument that begins with a dash is not one of the accepted options.
check_options() {  # check_options WHERE "ACCEPTED..." ARGUMENT...
  local where=$1 accepted=$2 argument; shift 2
  for argument in "$@"; do
    # shellcheck disable=SC2086
    [[ $argument != -* || $argument =~ ^-[0-9] ]] || check_word "$where" option "${argument%%=*}" $accepted
  done
}

bench_arguments() {  # bench_arguments [KIND ...]: `jostle bench KIND` explains its own options
  if [[ ${1:-} == -* ]]; then
    local argument
    for argument in "$@"; do
      [[ $argument == --benchmark_* ]] ||
        refuse "bench: unknown option '$argument'; accepted: a benchmark ($bench_kinds) or options of Google Benchmark, --benchmark_..."
    done
  elif [ $# -gt 0 ]; then
    # shellcheck disable=SC2086
    check_word bench benchmark "$1" $bench_kinds
  fi
  case ${1:-} in
    frames) shift; check_options "bench frames" "--bodies --width --height --frames --help -h" "$@" ;;
    python) shift; check_options "bench python" "--steps --help -h" "$@" ;;
    clients) shift; check_options "bench clients" "--scene --rounds --seconds --help -h" "$@" ;;
    stalls) shift; check_options "bench stalls" "--scene --bots --stall --rounds --bodies --help -h" "$@" ;;
    links) shift; check_options "bench links" "--runs --jobs --only --help -h" "$@" ;;
  esac
}

gallery_arguments() {  # gallery_arguments [SCENE...]
  local name
  # shellcheck disable=SC2046
  for name in "$@"; do check_word gallery scene "$name" $(scene_names); done
}

tour_arguments() {  # tour_arguments [STATION...] [--size WIDTHxHEIGHT]...
  local stations=""
  # Without Python, which is installed later, the tour itself checks the stations.
  ! command -v python3 >/dev/null || stations=$(station_names)
  while [ $# -gt 0 ]; do
    case $1 in
      --size)
        [[ ${2:-} =~ ^[1-9][0-9]*x[1-9][0-9]*$ ]] || refuse "tour: --size must be WIDTHxHEIGHT, not '${2:-}'"
        shift 2 ;;
      *)
        # shellcheck disable=SC2086
        [ -z "$stations" ] || check_word tour station "$1" $stations
        shift ;;
    esac
  done
}

matrix_arguments() {  # matrix_arguments [FOLDER] [OPTION...]
  check_options matrix "--cells --seed --ticks --jobs -j" "$@"
  # A single word is more likely a mistyped command than a new folder.
  [[ ${1:--} == -* || $1 == */* || -d $caller/$1 ]] ||
    refuse "matrix: '$1' is no folder; name a new folder as './$1'"
}

# Answers a request for help, and ends the script if the command or one of its arguments is unknown.
check_command_and_arguments() {  # check_command_and_arguments COMMAND ARGUMENT...
  local command=$1 argument; shift
  case $command in
    help | -h | --help)
      [ $# -gt 0 ] || { usage; exit 0; }
      case $1 in help | -h | --help) usage; exit 0 ;; esac
      # shellcheck disable=SC2086
      check_word help command "$1" $commands
      usage_of "$1"; exit 0 ;;
  esac
  # shellcheck disable=SC2086
  is_one_of "$command" $commands ||
    refuse "unknown command '$command'; ./run help lists the commands$(suggest "$command" $commands help)"
  case $command:${1:-} in
    server:* | view:* | tool:* | web:*) return ;;  # the programs explain their own options
    bench:[!-]*) ;;
    *)
      for argument in "$@"; do
        case $argument in -h | --help) usage_of "$command"; exit 0 ;; esac
      done ;;
  esac
  case $command in
    demo) demo_arguments "$@" ;;
    test) test_arguments "$@" ;;
    fuzz) fuzz_arguments "$@" ;;
    bench) bench_arguments "$@" ;;
    matrix) matrix_arguments "$@" ;;
    site) site_arguments "$@" ;;
    gallery) gallery_arguments "$@" ;;
    tour) tour_arguments "$@" ;;
    package) package_arguments "$@" ;;
    ablation) check_options ablation "--constants --only --steps --laws --scenes" "$@" ;;
    accuracy | docs | format | build) [ $# = 0 ] || refuse "$command: unknown argument '$1'; it takes none" ;;
  esac
}
