// Prints the text of docs/ACCURACY.md.
#include "shared/commit/commit.h"
#include "tests/physics_laws/table.h"

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  const char* const argument = argc > 1 ? argv[1] : "";
  if (argc > 2 || (argc == 2 && std::strcmp(argument, "--help") != 0 &&
                   std::strcmp(argument, "--version") != 0)) {
    std::fprintf(stderr, "accuracy: unexpected argument '%s'; accepted are --help and --version\n",
                 argv[argc - 1]);
    return 2;
  }
  if (std::strcmp(argument, "--help") == 0) {
    std::puts(
        "Measures the engine against the laws of mechanics and prints the text of "
        "docs/ACCURACY.md.\n\nusage: accuracy [--help | --version]");
  } else if (argc == 2) {
    std::puts(jostle::commit::version_text("accuracy").c_str());
  } else {
    std::fputs(jostle::physics::laws::accuracy_page().c_str(), stdout);
  }
  return 0;
}
