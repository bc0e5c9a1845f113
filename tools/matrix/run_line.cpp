#include "tools/matrix/run_line.h"

#include "shared/base/parse_number.h"
#include "shared/base/printable.h"

#include <vector>

namespace jostle::matrix {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view blanks = " \t\r";
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = line.find_first_of(blanks);
    words.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return words;
    line.remove_prefix(end);
  }
}

std::string quoted(std::string_view word) {
  return "'" + base::printable(word) + "'";
}

base::Result<simd::InstructionSet, std::string> parse_level(std::string_view word) {
  if (word == "best") return simd::best_instruction_set();
  const auto level = simd::parse_instruction_set(word);
  if (!level)
    return quoted(word) + " is not an instruction set: use plain, sse2, avx2, neon or best";
  if (!simd::is_supported(*level))
    return "this machine or this build does not support " + quoted(word);
  return *level;
}

}  // namespace

base::Result<RunLine, std::string> parse_run_line(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() != 5)
    return std::string("expected SCENE SEED TICKS THREADS SIMD, found ") +
           std::to_string(words.size()) + " words";
  const auto seed = base::parse_number<std::uint64_t>(words[1]);
  if (!seed) return quoted(words[1]) + " is not a seed: use a whole number from 0 to 2^64 - 1";
  const auto ticks = base::parse_number<std::uint32_t>(words[2]);
  if (!ticks || *ticks < 1 || *ticks > max_run_ticks)
    return quoted(words[2]) + " is not a number of ticks from 1 to " +
           std::to_string(max_run_ticks);
  const auto threads = base::parse_number<int>(words[3]);
  if (!threads || *threads < 1 || *threads > physics::max_threads)
    return quoted(words[3]) + " is not a number of threads from 1 to " +
           std::to_string(physics::max_threads);
  const auto level = parse_level(words[4]);
  if (!level) return level.error();
  return RunLine{std::string(words[0]), *seed, *ticks, {*threads, *level}};
}

}  // namespace jostle::matrix
