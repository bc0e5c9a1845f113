// Prints the text of docs/ACCURACY.md.
#include "shared/commit/commit.h"
#include "tests/physics_laws/table.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace jostle::physics;

constexpr const char* help =
    "Measures the engine against the laws of mechanics and prints the text of docs/ACCURACY.md.\n"
    "\n"
    "usage: accuracy [--help | --version | --lines [--without STABILIZER]]\n"
    "\n"
    "  --lines      prints row, error, target and name of each law, separated by tabs\n"
    "  --without    turns off a stabilizer of the engine (docs/ENGINE.md)";

int refuse(const std::string& message) {
  std::fprintf(stderr, "accuracy: %s\n", message.c_str());
  return 2;
}

/// Turns off the stabilizer with this name. Returns false if there is none.
bool turn_off(std::string_view name) {
  for (std::size_t i = 0; i < stabilizer_count; ++i) {
    if (stabilizer_names[i] != name) continue;
    laws::stabilizers_in_use() = Stabilizers{}.without(static_cast<Stabilizer>(i));
    return true;
  }
  return false;
}

int print_lines(std::string_view without) {
  if (!without.empty() && !turn_off(without)) {
    std::string known;
    for (const std::string_view name : stabilizer_names)
      known += (known.empty() ? "" : ", ") + std::string(name);
    return refuse("there is no stabilizer '" + std::string(without) + "': use one of " + known);
  }
  for (const laws::Law& law : laws::all_laws()) {
    std::printf("%d\t%.3g\t%.3g\t%s\n", law.row, law.error(), law.target, law.name);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  if (words.empty()) {
    std::fputs(laws::accuracy_page().c_str(), stdout);
    return 0;
  }
  if (words[0] == "--lines") {
    if (words.size() == 1) return print_lines({});
    if (words.size() == 3 && words[1] == "--without") return print_lines(words[2]);
    return refuse("after --lines, only --without STABILIZER is accepted");
  }
  if (words.size() == 1 && words[0] == "--help") {
    std::puts(help);
    return 0;
  }
  if (words.size() == 1 && words[0] == "--version") {
    std::puts(jostle::commit::version_text("accuracy").c_str());
    return 0;
  }
  return refuse("unexpected argument '" + std::string(words.back()) +
                "'; accepted are --help, --version and --lines");
}
