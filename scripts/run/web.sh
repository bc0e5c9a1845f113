# The page: its WebAssembly modules, its bundle, and the site without a server. Sourced by ./run.
# shellcheck shell=bash

packages_web="cmake ninja-build python3 pkg-config libflatbuffers-dev flatbuffers-compiler clang-$wasm_llvm lld-$wasm_llvm llvm-$wasm_llvm
  wasi-libc libc++-$wasm_llvm-dev-wasm32 libc++abi-$wasm_llvm-dev-wasm32 libclang-rt-$wasm_llvm-dev-wasm32"

# Installs what the page needs. Node and npm may also come from elsewhere than Debian.
# shellcheck disable=SC2086
install_for_web() {
  local more=""
  command -v node >/dev/null || more="nodejs"
  command -v npm >/dev/null || more="$more npm"
  install_missing $packages_web $more
}

# Installs the page's npm packages, in the versions of the lock file, unless they are there.
page_packages() {
  cmp -s web/page/package-lock.json web/page/node_modules/.installed && return
  say "installing the page's npm packages"
  quietly npm --prefix web/page ci
  cp web/page/package-lock.json web/page/node_modules/.installed
}

# Builds the modules and writes the page into FOLDER; KIND is gate or site.
build_page() {  # build_page FOLDER KIND
  page_packages
  build wasm jostle_client_module jostle_engine_module
  say "bundling the page"
  quietly npm --prefix web/page run --silent check
  quietly node web/page/build.mjs "$1" "$2" build/wasm/bin scenes
}

# ./run site OUT
site() {
  local out=$1
  case $out in /*) ;; *) out=$caller/$out ;; esac
  [ ! -e "$out" ] || [ -d "$out" ] || refuse "site: '$1' is a file; name a folder"
  if [ -d "$out" ] && [ -n "$(ls -A "$out")" ] && [ ! -f "$out/site.json" ]; then
    refuse "site: the folder '$1' is not empty and holds no earlier site; name a new folder"
  fi
  mkdir -p "$out"
  build_page "$out" site
  say "wrote the site to $1; to look at it: python3 -m http.server --directory $1"
}

site_arguments() {  # site_arguments OUT
  { [ $# = 1 ] && [[ $1 != -* ]]; } || refuse "site: name one folder for the site, such as ./run site out"
}

# ./run web: a server whose world is shown in browsers
web() {
  build_page build/web gate
  build release jostled jostle-gate
  say "the gate runs as this user; a packaged server gives it a user of its own (docs/WEB.md)"
  local own=(--web)
  [[ " $* " != *" --web"[\ =]* ]] || own=()  # the caller names the address
  run_program "$bin/jostled" "${own[@]}" --web-page "$root/build/web" "$@"
}
