#include "shared/journal/player_log.h"

#include "shared/base/crc32c.h"
#include "shared/base/log.h"
#include "shared/base/planted.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <span>
#include <string_view>
#include <utility>

namespace jostle::journal {
namespace {

constexpr std::size_t few_lines = 1'000;  // lines from which on the file is rewritten

std::uint32_t checksum(std::string_view text) {
  return base::crc32c(std::as_bytes(std::span(text)));
}

std::string line_of(state::PlayerId player, std::uint64_t token) {
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%x %016llx", unsigned{player.value},
                                 static_cast<unsigned long long>(token));
  char sum[16];
  std::snprintf(sum, sizeof sum, " %08x\n", checksum({text, static_cast<std::size_t>(size)}));
  return std::string(text) + sum;
}

template <typename Number>
bool take_hex(std::string_view text, Number& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

void take_line(std::string_view line, PlayerLog::Tokens& tokens) {
  const std::size_t first = line.find(' '), second = line.rfind(' ');
  if (first == std::string_view::npos || second == first) return;
  std::uint16_t player = 0;
  std::uint64_t token = 0;
  std::uint32_t sum = 0;
  if (!take_hex(line.substr(0, first), player) ||
      !take_hex(line.substr(first + 1, second - first - 1), token) ||
      !take_hex(line.substr(second + 1), sum) || sum != checksum(line.substr(0, second)))
    return;
  if (token == 0) {
    tokens.erase({player});
  } else {
    tokens[{player}] = token;
  }
}

}  // namespace

base::Result<PlayerLog::Tokens, FileError> PlayerLog::read(Files& files, const std::string& path) {
  const auto bytes = files.read(path);
  Tokens tokens;
  if (!bytes && bytes.error().number == ENOENT) return tokens;
  if (!bytes) return bytes.error();
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    take_line(text.substr(0, end), tokens);
    text.remove_prefix(end + 1);
  }
  return tokens;
}

PlayerLog::PlayerLog(Files& files, Executor& executor, std::string path, bool is_synced)
    : executor_(executor),
      writer_(std::make_shared<Writer>(
          Writer{.files = files, .path = std::move(path), .is_synced = is_synced})) {}

std::string PlayerLog::begin(const Tokens& tokens) {
  writer_->tokens = tokens;  // no job uses it yet
  (void)executor_.post(64, [writer = writer_] { writer->rewrite(); });
  constexpr double patience_s = 60;
  if (!executor_.drain(patience_s)) return "the disk does not answer";
  return writer_->error == 0
             ? std::string()
             : "'" + writer_->path + "' cannot be written: " + describe({writer_->error});
}

void PlayerLog::set(state::PlayerId player, std::uint64_t token) {
  const bool is_queued =
      executor_.post(64, [writer = writer_, player, token] { writer->add(player, token); });
  if (!is_queued)
    base::error("reconnect token not stored",
                {{"player", player.value}, {"why", "the disk is too slow: the queue is full"}});
}

void PlayerLog::Writer::fail(int number) {
  error = number;
  file.reset();
  if (std::exchange(has_failed, true)) return;
  base::error("reconnect tokens not stored", {{"file", path}, {"why", describe({number})}});
}

void PlayerLog::Writer::rewrite() {
  file.reset();
  const std::string temporary = path + ".tmp";
  (void)files.remove(temporary);
  auto created = files.create(temporary, true);
  if (!created) return fail(created.error().number);
  std::string text;
  for (const auto& [player, token] : tokens)
    text += line_of(player, token);
  int failed = (*created)->append(std::as_bytes(std::span(text)));
  if (base::is_planted("rename-before-sync")) (void)files.rename(temporary, path);
  if (failed == 0 && !base::is_planted("unsynced-players")) failed = (*created)->sync();
  if (base::is_planted("rename-before-sync")) (void)files.rename(path, temporary);
  if (failed == 0) failed = files.rename(temporary, path);
  if (failed == 0) failed = files.sync_folder(path.substr(0, path.rfind('/')));
  if (failed != 0) return fail(failed);
  file = *std::move(created);
  lines = tokens.size();
  error = 0;
  if (std::exchange(has_failed, false)) base::warn("reconnect tokens are stored again", {});
}

void PlayerLog::Writer::add(state::PlayerId player, std::uint64_t token) {
  if (token == 0) {
    tokens.erase(player);
  } else {
    tokens[player] = token;
  }
  // After an error, and after the file was removed, the whole file is written again.
  if (file == nullptr || !file->is_named(path) || lines > few_lines + 4 * tokens.size())
    return rewrite();
  const std::string line = line_of(player, token);
  int failed = file->append(std::as_bytes(std::span(line)));
  if (failed == 0 && is_synced) failed = file->sync();
  if (failed != 0) return fail(failed);
  ++lines;
}

}  // namespace jostle::journal
