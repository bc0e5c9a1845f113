#!/bin/sh
# arm64_packages.sh FOLDER PACKAGE...: the distribution's packages for arm64, with what they depend
# on, unpacked into FOLDER/root. Nothing of this machine is changed, and nothing asked of root.
set -eu
folder=$1
shift
mkdir -p "$folder/lists/partial" "$folder/archives/partial" "$folder/root"
folder=$(cd "$folder" && pwd)

foreign_apt() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" \
    -o Dir::State::lists="$folder/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$folder" "$@"
}

foreign_apt update
# A lock of the machine's own is none of this.
foreign_apt -o Debug::NoLocking=true -y --no-install-recommends --download-only install "$@"
for package in "$folder"/archives/*.deb; do
  dpkg -x "$package" "$folder/root"
done
