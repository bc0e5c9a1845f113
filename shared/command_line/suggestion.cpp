#include "shared/command_line/suggestion.h"

#include <algorithm>
#include <cstddef>

namespace jostle::command_line {

std::string word_fault(const std::string& word, const std::vector<std::string>& accepted) {
  if (std::find(accepted.begin(), accepted.end(), word) != accepted.end()) return {};
  std::string listed;
  for (const std::string& each : accepted)
    listed += (listed.empty() ? "" : ", ") + each;
  return "'" + word + "' is not " + (accepted.size() == 1 ? "" : "one of ") + listed +
         suggestion(word, accepted);
}

std::vector<std::string> split_words(std::string_view text, std::string_view separator) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return words;
}

}  // namespace jostle::command_line
