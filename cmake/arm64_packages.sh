#!/bin/sh
# arm64_packages.sh FOLDER PACKAGE...: unpacks the distribution's arm64 packages and their
# dependencies into FOLDER/root. Does not change this machine and needs no root rights.
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
# No lock is needed, because this apt has its own folders.
foreign_apt -o Debug::NoLocking=true -y --no-install-recommends --download-only install "$@"
for package in "$folder"/archives/*.deb; do
  dpkg -x "$package" "$folder/root"
done
