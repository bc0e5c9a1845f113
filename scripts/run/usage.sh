# The help texts of ./run and of its commands. Sourced by ./run.
# shellcheck shell=bash

usage() {
  cat <<'TEXT'
usage: ./run COMMAND [ARGUMENTS]

  demo            start a server and two clients in two windows. Without a display, the clients run
                  offscreen for ten seconds, save a picture each, and compare their world with the
                  server's. Options: --scene NAME, --seconds N
  test [--full [STAGE...]]
                  build and run the tests. --full also runs these stages, or only the named ones:
                  clang dev asan tsan sanitized (tests of untrusted bytes) slow (the tests that take long)
                  random thin links web (the page, in Chromium) o3 aarch64 machines consumer tour fuzz tidy
                  docs demo packages (as root: package --check 12 13) debian12 debian13 (as root:
                  demo and test in a bare Debian of that release)
  fuzz [TARGET...] [--runs N] [--pack]
                  run the fuzz targets in tests/fuzz, or only the named ones, with N inputs each
                  (default 100,000), under libFuzzer with address and undefined-behaviour sanitizers.
                  --pack: instead, minimise the corpora and pack them into tests/fuzz/corpus
  server [...]    run jostled, the server      (./run server --help)
  view [...]      run jostle-view, the client  (./run view --help)
  tool [...]      run jostle: record, verify, diff, bisect, export, bots, token, psk, key, bench,
                  check, net                   (./run tool --help)
  bench [...]     run benchmarks (docs/BENCHMARKS.md):
                    physics --scene NAME  the engine on a scene; --suite wide: on 30 families
                    particles             particle systems
                    snapshots             the snapshot codecs
                    link                  play over bad networks
                    server                the cost of 1,000 clients for a server
                    frames                the time to draw a frame
                    clients               the effect of stopped clients on a server
                    stalls                the effect of a stalled disk or log on a server
                    python                the cost of a step from Python beside C++
                    links                 hitches and losses, with real processes
                  without an argument: the microbenchmarks of scenes and snapshots
  accuracy        measure the engine against the laws of mechanics and write docs/ACCURACY.md
  ablation [...]  turn off one stabilizer of the engine after the other, and print which laws and scenes
                  become worse (docs/ENGINE.md). Takes about half an hour
  matrix [...]    run the same scenes in each of 13 builds, with all SIMD instructions and on 1 to 8
                  threads, and print a table of their hashes. Takes hours
                  (./run matrix --help, docs/DETERMINISM.md)
  web [...]       run jostled with a page for browsers, and print its URL; options as of ./run server
  site OUT        write a static web page with all scenes, which simulate in the browser (docs/WEB.md)
  gallery [...]   draw the pictures in docs/gallery: all scenes, or only the named ones
  tour [...]      operate jostle-view with keys and mouse like a new user, and take the pictures in
                  docs/tour: all stations, or only the named ones
  docs            write the API reference of the C and C++ headers to build/reference
  package [--check] [12] [13]
                  make Debian packages. --check: install and use them in a bare Debian (as root)
  format          run clang-format on all source files
  build           build everything into build/release

./run help COMMAND explains one command. Missing packages are installed with apt-get (as root, or with sudo).
TEXT
}

# Prints the help text of a command. The programs and the matrix explain their own options.
# shellcheck disable=SC2046,SC2086
usage_of() {  # usage_of COMMAND
  case $1 in
    demo) cat <<'TEXT'
usage: ./run demo [--scene NAME] [--seconds N]

Starts a server and two clients in two windows, which you close to end the demo. Without a display,
the clients run offscreen, save a picture each, and compare their world with the server's.

  --scene NAME   scene of the server: a name or the path of a file (default: crates)
  --seconds N    without a display: time for which the clients run, from 6 to 99999 (default: 10)
TEXT
      ;;
    test) cat <<'TEXT'
usage: ./run test [--full [STAGE...]]

Builds build/release and runs its tests.

  --full         also run all stages
  STAGE...       run only these stages:
TEXT
      list_words $full_stages ;;
    fuzz) cat <<'TEXT'
usage: ./run fuzz [TARGET...] [--runs N] [--pack]

Runs the fuzz targets under libFuzzer with address and undefined-behaviour sanitizers.

  --runs N       inputs for each target (default: 100000)
  --pack         instead, minimise the corpora and pack them into tests/fuzz/corpus
  TARGET...      run only these targets:
TEXT
      list_words $fuzz_stateless $fuzz_stateful ;;
    bench) cat <<'TEXT'
usage: ./run bench                  the microbenchmarks of scenes and snapshots
       ./run bench --benchmark_...  the same, with options of Google Benchmark
       ./run bench KIND [...]       another benchmark (./run bench KIND --help)

Kinds of benchmarks (docs/BENCHMARKS.md):
TEXT
      list_words $bench_kinds ;;
    gallery) cat <<'TEXT'
usage: ./run gallery [SCENE...]

Draws the pictures in docs/gallery, all or only those of the named scenes, and writes its page.

  SCENE...       names of scenes in the folder scenes:
TEXT
      list_words $(scene_names) ;;
    tour) cat <<'TEXT'
usage: ./run tour [STATION...] [--size WIDTHxHEIGHT]...

Operates jostle-view with keys and mouse like a new user, on a virtual display. Takes the pictures in
docs/tour, all or only those of the named stations, at 1280x720 and 1920x1080.

  --size WIDTHxHEIGHT   also take pictures of this size
  STATION...            stations of the tour:
TEXT
      list_words $(station_names) ;;
    web) echo "usage: ./run web [...]: builds the page, and runs jostled with a gate for browsers; ./run server --help lists the options" ;;
    site) cat <<'TEXT'
usage: ./run site OUT

Writes a static web page into the folder OUT, which any web host can serve. All scenes simulate in the browser, two
tabs play together, and recordings replay. To look at it: python3 -m http.server --directory OUT
TEXT
      ;;
    accuracy) cat <<'TEXT'
usage: ./run accuracy

Measures the engine against the laws of mechanics and writes docs/ACCURACY.md.
TEXT
      ;;
    ablation) cat <<'TEXT'
usage: ./run ablation [--only STABILIZER] [--steps N] [--laws | --scenes]
       ./run ablation --constants [--only CONSTANT] [--steps N]

Turns off one stabilizer of the engine after the other (docs/ENGINE.md). Prints which laws of docs/ACCURACY.md and
which scenes of the wide suite become worse, and the time of each scene.

With --constants, halves and doubles one constant of shared/physics/detail/constants.h after the other instead, in
programs that are built for this.

  --only STABILIZER   turn off this one only
  --steps N           steps of each scene; default: those of the scene
  --laws              no scenes
  --scenes            no laws
TEXT
      ;;
    docs) cat <<'TEXT'
usage: ./run docs

Writes the API reference of the C and C++ headers to build/reference with Doxygen. Fails if a public symbol has no
documentation.
TEXT
      ;;
    package) cat <<'TEXT'
usage: ./run package [--check] [12] [13]

Makes the Debian packages libjostle0, libjostle-dev, jostle and python3-jostle in build/package/debian12 and
build/package/debian13, and checks them with lintian. Without a release, it makes those for this machine.

  12, 13         the Debian releases. For another release than that of this machine, it builds in a Debian of that
                 release in build/package. This needs root, for debootstrap and chroot, and 3 GB of disk
  --check        also install the packages in a bare Debian of the release, build and run the examples there as the
                 guides say, use the programs, and remove the packages again. Needs root
TEXT
      ;;
    format) cat <<'TEXT'
usage: ./run format

Runs clang-format on all source files.
TEXT
      ;;
    build) cat <<'TEXT'
usage: ./run build

Builds everything into build/release.
TEXT
      ;;
    server) echo "usage: ./run server [...]: builds and runs jostled; ./run server --help lists its options" ;;
    view) echo "usage: ./run view [...]: builds and runs jostle-view; ./run view --help lists its options" ;;
    tool) echo "usage: ./run tool [...]: builds and runs jostle; ./run tool --help lists its commands" ;;
    matrix) tools/matrix/matrix all --help ;;
  esac
}

# Prints words in indented lines.
list_words() { echo "$*" | fold -s -w 80 | sed 's/^/    /; s/ *$//'; }
