#include "server/hash_log.h"

#include "shared/base/log.h"

#include <cstdio>
#include <span>
#include <utility>

namespace jostle::server {
namespace {

constexpr std::size_t flush_bytes = 16U << 10;

}  // namespace

HashLog::HashLog(std::unique_ptr<net::OutputFile> file, std::string path, journal::Executor& writer)
    : target_(std::make_shared<Target>(Target{.file = std::move(file), .path = std::move(path)})),
      writer_(writer) {
  if (const auto emptied = target_->file->write({}); !emptied) target_->error = emptied.error();
}

HashLog::~HashLog() {
  flush();
}

void HashLog::add(state::Tick tick, std::uint64_t hash) {
  char line[32];
  const int size = std::snprintf(line, sizeof line, "%u %016llx\n", tick.number,
                                 static_cast<unsigned long long>(hash));
  ++lines_;
  ++pending_lines_;
  pending_.append(line, static_cast<std::size_t>(size));
  if (pending_.size() >= flush_bytes) pass_on();
}

void HashLog::Target::write(const std::string& text, std::uint64_t lines) {
  const auto written = file->write(std::as_bytes(std::span(text)));
  if (!written) {
    lost += lines;
    if (!error) error = written.error();
    if (!std::exchange(is_failing, true))
      base::error("hash log interrupted",
                  {{"file", path}, {"why", net::describe(written.error())}});
  } else if (std::exchange(is_failing, false)) {
    base::warn("hash log continues", {{"file", path}, {"lost_lines", lost}});
  }
}

void HashLog::pass_on() {
  if (pending_.empty()) return;
  const std::uint64_t lines = std::exchange(pending_lines_, 0);
  const std::size_t bytes = pending_.size();
  const bool is_queued = writer_.post(
      bytes, [target = target_, text = std::move(pending_), lines] { target->write(text, lines); });
  if (!is_queued) {
    if (dropped_ == 0)
      base::error("hash log interrupted",
                  {{"file", target_->path}, {"why", "the disk is too slow: the queue is full"}});
    dropped_ += lines;
  }
  pending_.clear();
}

std::optional<net::IoError> HashLog::flush() {
  constexpr double patience_s = 10;
  pass_on();
  if (!writer_.drain(patience_s)) return net::IoError::Unknown;
  return target_->error;
}

}  // namespace jostle::server
