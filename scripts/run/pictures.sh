# The pictures of docs/gallery and docs/tour, and the API reference. Sourced by ./run.
# shellcheck shell=bash

gallery() {  # gallery [SCENE...]: draws the pictures, writes docs/gallery/README.md
  local out=$root/docs/gallery small=$root/scenes/pictures file name sentence options=()
  for name in "$@"; do options+=(--scene "$name"); done
  JOSTLE_SCENES=$root/scenes "$bin/jostle-view" --gallery "$out" "${options[@]}"
  say "drawing the thumbnails of the scene list"
  JOSTLE_SCENES=$root/scenes "$bin/jostle-view" --gallery "$small" --size 192x108 "${options[@]}" >/dev/null
  for file in "$out"/*.png "$small"/*.png; do
    # the picture of a deleted scene
    [ -f "scenes/$(basename "$file" .png).scene.json" ] || rm "$file"
  done
  say "writing docs/gallery/README.md"
  {
    printf '# Gallery\n\nEvery scene of `scenes/`, drawn offscreen by `./run gallery`, which also writes this page.\n'
    for file in scenes/*.scene.json; do
      name=$(basename "$file" .scene.json)
      sentence=$(sed -n 's/^ *"description": "\(.*\)",$/\1/p' "$file")
      [ -n "$sentence" ] || die "$file: the key \"description\" must be on a line of its own"
      printf '\n## %s\n\n%s\n\n![%s](%s.png)\n' "$name" "$sentence" "$name" "$name"
    done
  } >"$out/README.md"
}

tour() {  # tour OUT_DIR [--size WIDTHxHEIGHT]... [STATION...]
  mkdir -p "$1"
  python3 tests/programs/tour.py "$bin" "$root" "$@"
}

reference() {  # writes the API reference; fails if a public symbol has no documentation
  mkdir -p build/reference
  JOSTLE_VERSION=$(project_version) doxygen docs/reference/Doxyfile || die "docs: the reference has errors, see above"
  echo "$(shown_path "$root/build/reference/index.html")"
}
