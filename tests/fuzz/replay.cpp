// Runs a target on every file of some folders, without libFuzzer: fuzz_replay TARGET FOLDER...
#include "tests/fuzz/fuzz_input.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

int main(int argument_count, char** arguments) {
  const auto& targets = jostle::fuzz::targets();
  const auto target = argument_count < 3 ? targets.end() : targets.find(arguments[1]);
  if (target == targets.end()) {
    std::fprintf(stderr, "usage: %s TARGET FOLDER...\ntargets:", arguments[0]);
    for (const auto& [name, run] : targets)
      std::fprintf(stderr, " %s", name.data());
    std::fprintf(stderr, "\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (int i = 2; i < argument_count; ++i) {
    const std::size_t before = files.size();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i], error))
      if (entry.is_regular_file()) files.push_back(entry.path());
    if (error || files.size() == before) {
      std::fprintf(stderr, "%s: not a folder that contains files\n", arguments[i]);
      return 1;
    }
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    if (!file.good() && !file.eof()) {
      std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
      return 1;
    }
    // Print the name first, because an abort does not say which input caused it.
    std::printf("%s\n", path.filename().c_str());
    std::fflush(stdout);
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    target->second(bytes.data(), bytes.size());
  }
  std::printf("%zu files\n", files.size());
  return 0;
}
