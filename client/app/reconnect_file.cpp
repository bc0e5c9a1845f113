#include "client/app/reconnect_file.h"

#include "shared/base/log.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>

namespace jostle::client_app {
namespace {

/// A line has a token; the last line counts.
constexpr std::size_t line_bytes = 17, max_lines = 100;
constexpr std::size_t max_name_bytes = 200;

/// Returns the token in a file, or 0 if the file is missing, unreadable or has no token.
std::uint64_t token_in(net::Io& io, const std::string& path) {
  const auto bytes = io.read_secret_file(path, line_bytes * max_lines);
  if (!bytes || bytes->size() < line_bytes) return 0;
  const std::string_view text(
      reinterpret_cast<const char*>(bytes->data()) + bytes->size() - line_bytes, line_bytes);
  std::uint64_t token = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), token, 16);
  return parsed.ec == std::errc{} ? token : 0;
}

/// Returns the start of the names of a server's files, without characters that a file system may
/// not allow.
std::string path_for(const std::string& folder, const std::string& server) {
  std::string name = server.substr(0, max_name_bytes);
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '.') letter = '_';
  return folder + "/reconnect/" + name + "-";
}

}  // namespace

ReconnectFile::ReconnectFile(net::Io& io, const std::string& folder, const std::string& server) {
  if (folder.empty()) return;
  const std::string path = path_for(folder, server);
  std::optional<std::string> free;
  for (int i = 0; i < most_files; ++i) {
    const std::string candidate = path + std::to_string(i);
    // A file that another viewer locks holds that viewer's token.
    if (token_in(io, candidate) != 0 && lock(io, candidate)) return;
  }
  for (int i = 0; i < most_files && file_ == nullptr; ++i)
    lock(io, path + std::to_string(i));
}

bool ReconnectFile::lock(net::Io& io, const std::string& path) {
  // Creates the file with the rights of a secret one. An existing file stays as it is.
  if (const auto created = io.create_secret_file(path, {});
      !created && created.error() != net::IoError::AlreadyExists)
    return false;
  if (!io.read_secret_file(path, line_bytes * max_lines)) return false;
  auto file = io.open_output(path);
  if (!file) return false;
  path_ = path;
  file_ = *std::move(file);
  token_ = token_in(io, path);
  return true;
}

void ReconnectFile::keep(std::uint64_t token) {
  if (file_ == nullptr || token == token_ || lines_ == max_lines) return;
  token_ = token;
  ++lines_;
  std::array<char, line_bytes + 1> text{};
  std::snprintf(text.data(), text.size(), "%016llx\n", static_cast<unsigned long long>(token));
  const auto written = file_->write(std::as_bytes(std::span(text).first(line_bytes)));
  if (written) return;
  base::warn("cannot save the reconnect token",
             {{"path", path_}, {"why", net::describe(written.error())}});
  file_.reset();
}

}  // namespace jostle::client_app
