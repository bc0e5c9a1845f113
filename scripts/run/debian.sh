# Bare Debian systems in which the demo and the tests run. Sourced by ./run.
# shellcheck shell=bash

# Prints the Debian mirror that this machine's apt uses.
debian_mirror() {
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "Debian" { print $2; exit }'
}

# Builds a minimal Debian in build/NAME with debootstrap, clones the last commit into it, and runs
# `./run demo` and `./run test` there. Needs root.
bare_debian() {  # bare_debian NAME CODENAME
  local name=$1 codename=$2 tree=$root/build/$1 mirror command
  [ "$(id -u)" = 0 ] || die "stage $name needs root, for debootstrap and chroot"
  install_missing debootstrap git
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || die "stage $name: apt has no Debian mirror on this machine"
  say "creating a bare Debian ($codename) in build/$name from $mirror"
  rm -rf --one-file-system "$tree"
  with_progress "debootstrap" quietly debootstrap --variant=minbase --include=ca-certificates "$codename" "$tree" "$mirror"
  git clone -q "$root" "$tree/jostle"
  [ -z "$(git status --porcelain)" ] || say "stage $name tests the last commit, without the changes in this folder"
  for command in demo test; do
    say "stage $name: ./run $command"
    # The mounts exist only inside this namespace.
    unshare --mount bash -c 'mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" &&
      exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 /jostle/run "$2"' \
      bash "$tree" "$command" || die "stage $name: ./run $command failed"
  done
}
