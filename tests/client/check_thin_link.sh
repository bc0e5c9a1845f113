#!/bin/sh
# check_thin_link.sh <nm> <program>: fails if the program contains a symbol of the physics engine,
# of the server's other code (simulation, scenes, recordings) or of SDL. Also fails if it contains
# no symbol of this project at all, because a search of a stripped program proves nothing.
set -eu
nm="$1"
program="$2"

symbols="$("$nm" -C "$program")"
if ! printf '%s\n' "$symbols" | grep -q 'jostle::'; then
  echo "$program: no symbols of this project to search; is it stripped?"
  exit 1
fi
found="$(printf '%s\n' "$symbols" |
  grep -E 'jostle::(physics|sim|scene|record|server)::|(^| )SDL_' || true)"
if [ -n "$found" ]; then
  echo "$program: the thin client holds symbols that it must not:"
  printf '%s\n' "$found" | head -20
  exit 2
fi
echo "$program: no symbol of the engine among $(printf '%s\n' "$symbols" | wc -l)"
