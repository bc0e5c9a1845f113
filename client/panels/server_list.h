#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::panels {

/// A server to choose, in words that may be shown.
struct ServerLine {
  enum class Access : std::uint8_t { Unknown, Open, Token, SharedKey };

  std::string address;  // HOST:PORT, by which lines are told apart
  std::string name{}, scene{}, players{}, round_trip{};
  Access access = Access::Unknown;
  std::string detail{};  // what else is known of it, in a sentence
  std::string fault{};   // why it cannot be joined; empty: it may be tried
};

/// What the user does with a list of servers that changes all the time: those that answer now, and
/// below them those of before. Draws nothing.
class ServerList {
 public:
  /// The lines as they are now; what is selected stays so while it is among them.
  void update(std::vector<ServerLine> found, const std::vector<std::string>& recent);

  /// Those that answer come first.
  const std::vector<ServerLine>& lines() const { return lines_; }
  std::size_t found_count() const { return found_count_; }

  std::optional<std::size_t> selected() const;
  const ServerLine* selected_line() const;
  void select(std::size_t line);
  /// Selects another line; ends at the first and the last.
  void move(int lines);

 private:
  std::vector<ServerLine> lines_;
  std::size_t found_count_ = 0;
  std::string selected_;  // its address; empty: none
  bool is_chosen_by_user_ = false;
};

}  // namespace jostle::panels
