#include "shared/keyring/detail/list_file.h"

#include <algorithm>
#include <span>

namespace jostle::keyring {
namespace {

constexpr std::size_t max_line_bytes = 1'000;
constexpr std::string_view unreadable = "?";  // in place of the words of a torn line

std::string fault_at(const std::string& path, std::size_t line, std::string_view what) {
  return path + ":" + std::to_string(line) + ": " + std::string(what);
}

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r';
}

bool is_text(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char letter) {
    return is_blank(letter) || (letter > ' ' && letter < 127);
  });
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !is_blank(line[end]))
      ++end;
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::string fault_of(const std::string& path, net::IoError error) {
  return "'" + path + "': " + std::string(net::describe(error));
}

std::string fault_at(const std::string& path, const ListLine& line, std::string_view what) {
  return fault_at(path, line.number, what);
}

base::Result<std::vector<ListLine>, std::string> read_list(net::Io& io, const std::string& path,
                                                           std::string_view head) {
  std::vector<ListLine> lines;
  const auto bytes = io.read_file(path, max_list_bytes);
  if (!bytes && bytes.error() == net::IoError::NotFound) return lines;
  if (!bytes) return fault_of(path, bytes.error());
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const bool is_ended = end != std::string_view::npos;
    text.remove_prefix(is_ended ? end + 1 : text.size());
    // A power loss can leave zeros in place of a part of the last line, or of all of it.
    const bool has_zeros = line.find('\0') != std::string_view::npos;
    const bool is_torn = !is_ended || (text.empty() && has_zeros);
    if (line.size() > max_line_bytes)
      return fault_at(path, number, "the line is too long; at most 1000 bytes are allowed");
    const bool is_unreadable = is_torn && has_zeros && number != 1;
    if (!is_unreadable && !is_text(line))
      return fault_at(path, number, "the line contains characters that are not printable ASCII");
    std::vector<std::string> words =
        is_unreadable ? std::vector{std::string(unreadable)} : words_of(line);
    if (number == 1) {
      if (words.size() != 1 || words[0] != head)
        return fault_at(path, number, "expected the first line '" + std::string(head) + "'");
      continue;
    }
    if (words.empty() || words[0].starts_with('#')) continue;
    lines.push_back({.number = number, .words = std::move(words), .is_torn = is_torn});
  }
  return lines;
}

base::Result<base::Ok, std::string> add_to_list(net::Io& io, const std::string& path,
                                                std::string_view head, const std::string& line) {
  // Other processes may append at the same time. One of them creates the file; each append writes
  // one whole line.
  const auto begun = io.create_secret_file(path, bytes_of(std::string(head) + "\n"));
  if (!begun && begun.error() != net::IoError::AlreadyExists) return fault_of(path, begun.error());
  const auto before = io.read_file(path, max_list_bytes);
  if (!before) return fault_of(path, before.error());
  if (before->empty()) return write_list(io, path, head, {line});
  const bool is_ended = before->back() == std::byte{'\n'};
  const auto added = io.append_file(path, bytes_of((is_ended ? "" : "\n") + line + "\n"));
  if (!added) return fault_of(path, added.error());
  return base::Ok{};
}

base::Result<base::Ok, std::string> write_list(net::Io& io, const std::string& path,
                                               std::string_view head,
                                               const std::vector<std::string>& lines) {
  std::string text = std::string(head) + "\n";
  for (const std::string& line : lines)
    text += line + "\n";
  const auto written = io.write_secret_file(path, bytes_of(text));
  if (!written) return fault_of(path, written.error());
  return base::Ok{};
}

}  // namespace jostle::keyring
