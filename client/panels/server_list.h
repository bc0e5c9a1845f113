#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::panels {

/// A server in the list, as displayable text.
struct ServerLine {
  enum class Access : std::uint8_t { Unknown, Open, Token, SharedKey };

  std::string address;  // HOST:PORT; identifies the line
  std::string name{}, scene{}, players{}, round_trip{};
  Access access = Access::Unknown;
  std::string detail{};  // further facts, one sentence
  std::string fault{};   // reason why it cannot be joined; empty: it can be tried
};

/// Selection in a list of servers that changes at any time: servers that answer now, followed by
/// recent ones. Draws nothing.
class ServerList {
 public:
  /// Updates the lines. A line that the user selected stays selected while it exists. Otherwise the
  /// first server that can be joined is selected.
  void update(std::vector<ServerLine> found, const std::vector<std::string>& recent);

  /// Returns all lines; servers that answer come first.
  const std::vector<ServerLine>& lines() const { return lines_; }
  std::size_t found_count() const { return found_count_; }

  std::optional<std::size_t> selected() const;
  const ServerLine* selected_line() const;
  void select(std::size_t line);
  /// Moves the selection; stops at the first and the last line.
  void move(int lines);

 private:
  std::vector<ServerLine> lines_;
  std::size_t found_count_ = 0;
  std::string selected_;  // address of the selected line; empty: none
  bool is_chosen_by_user_ = false;
};

}  // namespace jostle::panels
