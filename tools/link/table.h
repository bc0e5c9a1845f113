#pragma once

#include <string>
#include <variant>
#include <vector>

namespace jostle::link {

/// Figures as they stand in a document and as programs read them.
struct Table {
  struct Column {
    std::string key;      // of JSON
    std::string heading;  // of Markdown
    int digits = 0;       // after the point, in Markdown
  };
  using Cell = std::variant<std::string, double>;

  std::string key, title;
  std::string text;  // how it was measured
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

std::string to_markdown(const Table& table);
/// A list of objects, one for each row.
std::string to_json(const Table& table);

}  // namespace jostle::link
