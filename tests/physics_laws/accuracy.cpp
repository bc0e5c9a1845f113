// Prints the text of docs/ACCURACY.md.
#include "shared/commit/commit.h"
#include "tests/physics_laws/table.h"

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace jostle::physics;

constexpr const char* help =
    "Measures the engine against the laws of mechanics and prints the text of docs/ACCURACY.md.\n"
    "\n"
    "usage: accuracy [--help | --version | --stabilizers | --lines [--without STABILIZER]]\n"
    "\n"
    "  --stabilizers  prints the names of the stabilizers of the engine (docs/ENGINE.md)\n"
    "  --lines        prints row, error, target and name of each law, separated by tabs\n"
    "  --without      turns off a stabilizer";

int refuse(const std::string& message) {
  std::fprintf(stderr, "accuracy: %s\n", message.c_str());
  return 2;
}

int print_lines(std::string_view without) {
  const std::optional<Stabilizer> off = stabilizer_named(without);
  if (!without.empty() && !off) {
    std::string known;
    for (const std::string_view name : stabilizer_names)
      known += (known.empty() ? "" : ", ") + std::string(name);
    return refuse("there is no stabilizer '" + std::string(without) + "': use one of " + known);
  }
  if (off) laws::stabilizers_in_use() = Stabilizers{}.without(*off);
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
  if (words.size() == 1 && words[0] == "--stabilizers") {
    for (const std::string_view name : stabilizer_names)
      std::printf("%s\n", std::string(name).c_str());
    return 0;
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
                "'; accepted are --help, --version, --stabilizers and --lines");
}
