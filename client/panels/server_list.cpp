#include "client/panels/server_list.h"

#include <algorithm>
#include <utility>

namespace jostle::panels {

void ServerList::update(std::vector<ServerLine> found, const std::vector<std::string>& recent) {
  lines_ = std::move(found);
  found_count_ = lines_.size();
  for (const std::string& address : recent) {
    if (std::ranges::find(lines_, address, &ServerLine::address) == lines_.end())
      lines_.push_back({.address = address});
  }
  const bool is_there = selected().has_value();
  if (is_there && is_chosen_by_user_) return;
  // Without a choice of the user, the first server that can be joined is selected.
  const auto best =
      std::ranges::find_if(lines_, [](const ServerLine& line) { return line.fault.empty(); });
  is_chosen_by_user_ = false;
  selected_ = best == lines_.end() ? std::string() : best->address;
}

std::optional<std::size_t> ServerList::selected() const {
  const auto line = std::ranges::find(lines_, selected_, &ServerLine::address);
  if (selected_.empty() || line == lines_.end()) return std::nullopt;
  return static_cast<std::size_t>(line - lines_.begin());
}

const ServerLine* ServerList::selected_line() const {
  const auto line = selected();
  return line ? &lines_[*line] : nullptr;
}

void ServerList::select(std::size_t line) {
  if (line >= lines_.size()) return;
  selected_ = lines_[line].address;
  is_chosen_by_user_ = true;
}

void ServerList::move(int lines) {
  if (lines_.empty()) return;
  const auto last = static_cast<std::ptrdiff_t>(lines_.size()) - 1;
  const auto from = static_cast<std::ptrdiff_t>(selected().value_or(0));
  const std::ptrdiff_t to = selected() ? from + lines : from;
  select(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, last)));
}

}  // namespace jostle::panels
