# The Debian packages of each task, and their installation. Sourced by ./run.
# shellcheck shell=bash

# Debian's release, for the versions in package names. On other systems, the newest known release.
release=$(. /etc/os-release 2>/dev/null; echo "${ID:-}-${VERSION_ID:-}")
[ -f "scripts/packages/$release" ] || release=debian-13
wasm_llvm= boost=
# shellcheck source=/dev/null
. "scripts/packages/$release"

# Debian installs the headers of one Boost only. On a machine that needs those of another one,
# install_missing() has unpacked the headers here.
boost_folder=$root/build/boost
if [ -d "$boost_folder/usr/include/boost" ]; then export BOOST_ROOT=$boost_folder/usr; boost=; fi

# The packages for building, running and testing.
packages_build="g++ cmake ninja-build pkg-config python3 libenet-dev libflatbuffers-dev
  flatbuffers-compiler libsodium-dev libasio-dev libcli11-dev libzstd-dev libtinygltf-dev libsdl2-dev libimgui-dev libpng-dev
  libtomlplusplus-dev libutf8proc-dev $boost libssl-dev
  libgtest-dev libgmock-dev libegl1 libgl1-mesa-dri libgl1 fonts-dejavu-core binutils"
packages_test="nginx-light openssl clang-format xvfb xdotool imagemagick python3-jsonschema python3-numpy mypy"
packages_fuzz="clang libclang-rt-dev"
packages_full="$packages_fuzz clang-tidy g++-aarch64-linux-gnu libc6-dev-arm64-cross
  qemu-user"
# arm64 libraries for the programs that `./run test --full machines` runs on the emulated machine.
packages_there="libenet-dev libflatbuffers-dev libsodium-dev libasio-dev libcli11-dev libzstd-dev libtinygltf-dev libutf8proc-dev $boost libssl-dev"
packages_bench="libbenchmark-dev libbullet-dev"
packages_matrix="clang lld llvm g++-aarch64-linux-gnu g++-riscv64-linux-gnu g++-s390x-linux-gnu
  g++-arm-linux-gnueabihf qemu-user clang-$wasm_llvm lld-$wasm_llvm llvm-$wasm_llvm wasi-libc
  libc++-$wasm_llvm-dev-wasm32 libc++abi-$wasm_llvm-dev-wasm32 libclang-rt-$wasm_llvm-dev-wasm32 nodejs"

install_missing() {
  command -v dpkg-query >/dev/null || return 0  # not Debian: the build reports missing packages
  local missing
  # shellcheck disable=SC2086
  missing=$(comm -13 <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $* 2>/dev/null |
                       sed -n 's/^ii[^ ]* *//p' | sort -u) <(printf '%s\n' $* | sort -u))
  [ "${BOOST_ROOT:-}" != "$boost_folder/usr" ] || missing=$(printf '%s\n' $missing | grep -vx "$boost" || true)
  [ -n "$missing" ] || return 0
  local sudo=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing, and sudo is not installed; install them as root:" $missing
    sudo=sudo
  fi
  say "installing:" $missing
  local log; log=$(mktemp)
  $sudo apt-get update -q >"$log" 2>&1 || apt_failed "$log"
  # shellcheck disable=SC2086
  if [ -n "$boost" ] && is_one_of "$boost" $missing &&
    apt-get install -s --no-install-recommends "$boost" 2>/dev/null | grep -q '^Remv'; then
    unpack_boost >"$log" 2>&1 || apt_failed "$log"
    missing=$(printf '%s\n' $missing | grep -vx "$boost" || true)
  fi
  # Packages that are installed are never removed.
  # shellcheck disable=SC2086
  [ -z "$missing" ] ||
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends --no-remove $missing >"$log" 2>&1 ||
    apt_failed "$log"
  rm -f "$log"
}

apt_failed() {  # apt_failed LOG
  tail -20 "$1" >&2
  die "apt-get failed (full log: $1)"
}

# Unpacks the headers of Boost without installing them. On Debian 12, python3-scipy recommends
# python3-pythran, which needs an older Boost; without this, one of the two would be removed.
unpack_boost() {
  rm -rf "$boost_folder"
  mkdir -p "$boost_folder/download"
  (cd "$boost_folder/download" && apt-get download -q "$boost") &&
    dpkg-deb -x "$boost_folder"/download/*.deb "$boost_folder" || return 1
  export BOOST_ROOT=$boost_folder/usr
}
