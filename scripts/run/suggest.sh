# Suggestions for mistyped commands and arguments. Sourced by ./run.
# shellcheck shell=bash

# Prints "; did you mean 'X'?" with the candidate to which a word is most similar (Damerau-Levenshtein
# distance), or nothing if more than a third of the letters of each candidate differ.
suggest() {  # suggest WORD CANDIDATE...
  printf '%s\n' "$@" | awk '
    function least(a, b) { return a < b ? a : b }
    function distance(from, to,    i, j, edits) {
      for (i = 0; i <= length(from); ++i) edits[i, 0] = i
      for (j = 0; j <= length(to); ++j) edits[0, j] = j
      for (i = 1; i <= length(from); ++i)
        for (j = 1; j <= length(to); ++j) {
          edits[i, j] = least(edits[i - 1, j - 1] + (substr(from, i, 1) != substr(to, j, 1)),
                              least(edits[i - 1, j], edits[i, j - 1]) + 1)
          if (i > 1 && j > 1 && substr(from, i - 1, 2) == substr(to, j, 1) substr(to, j - 1, 1))
            edits[i, j] = least(edits[i, j], edits[i - 2, j - 2] + 1)
        }
      return edits[length(from), length(to)]
    }
    NR == 1 { word = $0; next }
    length(word) <= 2 * length($0) {
      edits = distance(word, $0)
      if (edits <= length($0) / 3 && (nearest == "" || edits < fewest)) { nearest = $0; fewest = edits }
    }
    END { if (nearest != "") printf "; did you mean \047%s\047?", nearest }'
}
