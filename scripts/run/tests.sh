# The tests and the stages of `./run test --full`. Sourced by ./run.
# shellcheck shell=bash

# The tests that use several threads; check_layers.py lists the files that may start threads.
threaded_tests="physics bench_scenes determinism random_scenes sim character net client_preview tools api base server"
full_stages="clang dev asan tsan sanitized slow random thin links web o3 aarch64 machines consumer tour fuzz tidy docs demo packages debian12 debian13"

test_arguments() {  # test_arguments [--full [STAGE...]]
  [ $# -gt 0 ] || return 0
  [ "$1" = --full ] || refuse "test: unknown argument '$1'; accepted: --full [STAGE...] with stages $full_stages$(suggest "$1" --full)"
  shift
  local stage
  for stage in "$@"; do
    # shellcheck disable=SC2086
    is_one_of "$stage" $full_stages ||
      refuse "test --full: unknown stage '$stage'; stages: $full_stages$(suggest "$stage" $full_stages)"
  done
}

run_tests() {  # run_tests [--full [STAGE...]]
  unset JOSTLE_RUN  # the tests expect the names of the programs
  if [ "${1:-}" = --full ]; then
    shift
    run_full_tests "$@"
    return
  fi
  build release
  with_progress "testing" ctest --preset release -j "$(nproc)" --timeout 900
}

run_full_tests() {  # run_full_tests [STAGE...]: without stages, the usual tests and all stages
  local stages=("$@") stage
  if [ $# = 0 ]; then
    run_tests
    read -ra stages <<<"$full_stages"
  fi
  # shellcheck disable=SC2086
  install_missing $packages_full
  for stage in "${stages[@]}"; do
    say "stage $stage"
    case $stage in
      sanitized) build release sanitized_tests; ctest --preset release -C sanitized -R '^sanitized_' -j "$(nproc)" --timeout 900 ;;
      slow) build release; build release test_simulate_planted; ctest --preset release -C full -R '_full$' -j "$(nproc)" ;;
      random) build release test_random_scenes; JOSTLE_RANDOM_SCENES=300 ctest --preset release -R '^random_scenes$' ;;
      thin)
        build release test_match
        JOSTLE_THIN_LINK_BODIES=10000 "$bin/test_match" --gtest_brief=1 --gtest_filter='ThinLink.*Megabit*:ThinLink.*WithARadius*:ThinLink.IsFilled*' ;;
      links) build release programs; python3 bench/real_links.py "$bin" "$root" ;;
      web) web_tests ;;
      fuzz) fuzz --runs 1000000 $fuzz_stateless; fuzz --runs 100000 $fuzz_stateful ;;
      tsan)
        # shellcheck disable=SC2086
        build tsan $(printf 'test_%s ' $threaded_tests) jostle
        ctest --preset tsan -j "$(nproc)" --timeout 3600 -R "^(${threaded_tests// /|})\$" ;;
      tidy) build clang; ctest --test-dir build/clang -C full -R headers_compile_alone --output-on-failure; tidy ;;
      machines) two_machines ;;
      consumer) consumer ;;
      tour) build release programs; tour build/tour --size 1280x720 ;;
      demo) build release programs; demo ;;
      docs) install_missing doxygen; reference ;;
      packages) package --check 12 13 ;;
      debian12) bare_debian debian12 bookworm ;;
      debian13) bare_debian debian13 trixie ;;
      *) with_progress "stage $stage" env CTEST_PARALLEL_LEVEL="$(nproc)" cmake --workflow --preset "$stage" ;;
    esac
  done
}

web_tests() {  # builds the page and tests it in Chromium
  install_for_web
  install_missing chromium imagemagick
  build_page build/site site
  build_page build/web gate
  quietly cmake --preset release -DJOSTLE_WEB_TESTS=ON
  build release programs
  ctest --preset release -R '^web_'
}

consumer() {  # builds and runs a project that includes the engine with add_subdirectory()
  quietly cmake -S tests/consumer -B build/consumer -G Ninja -DCMAKE_BUILD_TYPE=Release
  with_progress "building tests/consumer" quietly ninja -C build/consumer falling_ball
  build/consumer/falling_ball
}

two_machines() {  # verifies recordings of this machine's build on an emulated aarch64 machine, and the reverse
  local root_there=$root/build/arm64/root
  local unpacked=build/arm64/packages.txt  # the packages of an earlier run
  if [ "$(cat "$unpacked" 2>/dev/null)" != "$packages_there" ]; then
    # shellcheck disable=SC2086
    quietly cmake/arm64_packages.sh build/arm64 $packages_there
    printf '%s\n' "$packages_there" >"$unpacked"
  fi
  build release jostle
  build aarch64-tool jostle
  python3 tests/programs/two_machines_test.py "$bin" "$root" qemu-aarch64 -L /usr/aarch64-linux-gnu \
    -E "LD_LIBRARY_PATH=$root_there/usr/lib/aarch64-linux-gnu" build/aarch64-tool/bin/jostle
}

tidy() {
  say "clang-tidy"
  git ls-files '*.cpp' | grep -vE '^(tests|bench)/' |
    xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/clang
}
