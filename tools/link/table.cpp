#include "tools/link/table.h"

#include "tools/bench/json_object.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace jostle::link {
namespace {

constexpr int json_digits = 6;

std::string to_text(const Table::Cell& cell, int digits) {
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  const double value = std::get<double>(cell);
  if (std::isnan(value)) return "–";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

}  // namespace

std::string to_markdown(const Table& table) {
  std::string text = "### " + table.title + "\n\n" + table.text + "\n\n|";
  for (const Table::Column& column : table.columns)
    text += " " + column.heading + " |";
  text += "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += "---|";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (std::size_t i = 0; i < row.size(); ++i)
      text += " " + to_text(row[i], table.columns[i].digits) + " |";
    text += "\n";
  }
  return text;
}

std::string to_json(const Table& table) {
  std::string text = "[";
  for (const auto& row : table.rows) {
    bench::JsonObject object(json_digits);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (const auto* words = std::get_if<std::string>(&row[i])) {
        object.add(table.columns[i].key, *words);
      } else {
        object.add(table.columns[i].key, std::get<double>(row[i]));
      }
    }
    text += (text.size() == 1 ? "" : ", ") + object.finish();
  }
  return text + "]";
}

}  // namespace jostle::link
