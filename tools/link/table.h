#pragma once

#include <string>
#include <variant>
#include <vector>

namespace jostle::link {

/// A table of results, for Markdown documents and JSON.
struct Table {
  struct Column {
    std::string key;      // key in JSON
    std::string heading;  // heading in Markdown
    int digits = 0;       // number of decimal places in Markdown
  };
  using Cell = std::variant<std::string, double>;

  std::string key, title;
  std::string text;  // how the figures were measured
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

std::string to_markdown(const Table& table);
/// Returns a JSON list with one object per row.
std::string to_json(const Table& table);

}  // namespace jostle::link
