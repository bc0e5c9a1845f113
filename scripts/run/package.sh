# Debian packages, and their proof in bare Debian systems. Sourced by ./run.
# shellcheck shell=bash

# The Debian releases for which packages are made, and their code names.
declare -A debian_codenames=([12]=bookworm [13]=trixie)
package_names="libjostle0 libjostle-dev jostle python3-jostle"
packages_debian="build-essential debhelper dh-python lintian"

package_releases=() package_is_checked=false package_hashes=()

package_arguments() {  # package_arguments [--check] [12] [13]
  local argument
  for argument in "$@"; do
    case $argument in
      --check) package_is_checked=true ;;
      *)
        is_one_of "$argument" "${!debian_codenames[@]}" ||
          refuse "package: unknown argument '$argument'; accepted: --check, and the Debian releases 12 and 13"
        package_releases+=("$argument") ;;
    esac
  done
}

this_debian() { (. /etc/os-release 2>/dev/null; [ "${ID:-}" != debian ] || echo "${VERSION_ID%%.*}"); }
project_version() { sed -n 's/^project(jostle VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt; }

# Makes the packages in build/package/debianRELEASE. For this machine's own release, it builds on
# this machine; for the other one, in a Debian of that release (as root).
package() {
  package_releases=()
  package_hashes=()
  package_is_checked=false
  package_arguments "$@"
  local release
  [ ${#package_releases[@]} -gt 0 ] || package_releases=("$(this_debian)")
  # The page is the same for all releases, and its tools come from npm: build it before and outside
  # the packages' own builds, which have no network.
  install_for_web
  build_page build/web gate
  for release in "${package_releases[@]}"; do
    [ -n "${debian_codenames[$release]:-}" ] ||
      die "package: this machine has no Debian release for which packages are made; name one: ./run package 13 (as root)"
    if [ "$release" = "$(this_debian)" ]; then
      # shellcheck disable=SC2086
      install_missing $packages_build $packages_debian
      make_packages "$release"
    else
      make_packages_in_tree "$release"
    fi
    [ $package_is_checked = false ] || check_packages "$release"
  done
  [ "$(printf '%s\n' "${package_hashes[@]}" | sort -u | wc -l)" -le 1 ] ||
    die "package: the releases compute different hashes of one world: ${package_hashes[*]}"
}

# Copies the sources of this folder into a new folder, with the built page, the files of the
# packaging and a changelog for a release.
copy_sources() {  # copy_sources FOLDER RELEASE
  local folder=$1 release=$2
  rm -rf "$folder"
  mkdir -p "$folder"
  git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
  done | tar --null -T - -cf - | tar -xf - -C "$folder"
  cp -a "$folder/packaging/debian" "$folder/debian"
  cp -a build/web "$folder/page"
  printf 'jostle (%s~deb%su1) %s; urgency=medium\n\n  * Packages of version %s; CHANGELOG.md lists its changes.\n\n -- %s  %s\n' \
    "$(project_version)" "$release" "${debian_codenames[$release]}" "$(project_version)" \
    "$(sed -n 's/^Maintainer: //p' packaging/debian/control)" "$(git log -1 --format=%aD)" >"$folder/debian/changelog"
}

# The commands that make the packages from the sources in FOLDER/jostle. The objects in
# FOLDER/objects stay for the next time.
package_commands='cd "$1/jostle"
  rm -f ../*.deb ../*.changes ../*.buildinfo
  DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage -b -us -uc -nc && lintian --allow-root --fail-on error,warning ../*.changes'

commit_text() { git rev-parse --short=12 HEAD 2>/dev/null; }

make_packages() {  # make_packages RELEASE: on this machine
  local folder=build/package/debian$1/here
  copy_sources "$folder/jostle" "$1"
  say "making packages for Debian $1"
  run_package_build "$1" env JOSTLE_COMMIT="$(commit_text)" bash -c "$package_commands" bash "$root/$folder"
  collect_packages "$1" "$folder"
}

# Runs a build whose output goes to build/package/debianRELEASE.log.
run_package_build() {  # run_package_build RELEASE COMMAND...
  local log=$root/build/package/debian$1.log; shift
  with_build_progress "$log" "$@" >"$log" 2>&1 || { tail -40 "$log" >&2; die "package: the build failed (the full log is $(shown_path "$log"))"; }
  sed -n '/^Now running lintian\|^[NIWE]: /p' "$log" >&2
}

collect_packages() {  # collect_packages RELEASE FOLDER: puts the packages of a build into build/package/debianRELEASE
  local target=build/package/debian$1 name file
  rm -f "$target"/*.deb
  for name in $package_names; do
    file=$(ls "$2/${name}_"*.deb) || die "package: the build made no package $name"
    cp "$file" "$target/"
    echo "$(shown_path "$root/$target/$(basename "$file")")"
  done
}

# Creates a bare Debian in build/package/debianRELEASE/base with debootstrap, unless it exists.
bare_tree() {  # bare_tree RELEASE
  local tree=build/package/debian$1/base mirror
  [ "$(id -u)" = 0 ] || die "package: a Debian $1 tree needs root, for debootstrap and chroot"
  [ ! -f "$tree/complete" ] || return 0
  install_missing debootstrap
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || die "package: apt has no Debian mirror on this machine"
  say "creating a bare Debian $1 from $mirror"
  rm -rf --one-file-system "$tree"
  mkdir -p "$tree"
  with_progress "debootstrap" quietly debootstrap --variant=minbase --include=ca-certificates "${debian_codenames[$1]}" "$tree" "$mirror"
  touch "$tree/complete"
}

make_packages_in_tree() {  # make_packages_in_tree RELEASE: in build/package/debianRELEASE/build
  local folder=build/package/debian$1 tree=build/package/debian$1/build
  bare_tree "$1"
  [ -f "$tree/complete" ] || { rm -rf --one-file-system "$tree"; cp -a "$folder/base" "$tree"; }
  copy_sources "$tree/package/jostle" "$1"
  say "making packages for Debian $1 in $tree"
  # shellcheck disable=SC2086
  with_progress "installing the packages for the build" quietly in_tree "$tree" \
    "apt-get update -q && apt-get install -qy --no-install-recommends $packages_debian && apt-get build-dep -qy --no-install-recommends /package/jostle"
  run_package_build "$1" in_tree "$tree" "export JOSTLE_COMMIT='$(commit_text)'; set -- /package; $package_commands"
  collect_packages "$1" "$tree/package"
}

# Runs a command of bash in a Debian tree. The mounts exist only inside this command.
in_tree() {  # in_tree TREE COMMAND
  unshare --mount bash -c 'mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" &&
    exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive bash -c "$2"' bash "$1" "$2"
}

# Installs the packages in a bare Debian and uses them as the guides say (packaging/check.sh).
check_packages() {  # check_packages RELEASE
  local folder=build/package/debian$1 tree=build/package/debian$1/check
  bare_tree "$1"
  say "checking the packages in a bare Debian $1"
  rm -rf --one-file-system "$tree"
  cp -a "$folder/base" "$tree"
  mkdir "$tree/packages"
  cp -r "$folder"/*.deb packaging/check.sh tools/matrix/library "$tree/packages/"
  with_progress "checking the packages" in_tree "$tree" "bash /packages/check.sh" | tee "$folder/check.txt" ||
    die "package: the check in Debian $1 failed; $tree is as it was at the failure"
  package_hashes+=("$(sed -n 's/^check: hash //p' "$folder/check.txt")")
  rm -rf --one-file-system "$tree"
}
