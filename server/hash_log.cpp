#include "server/hash_log.h"

#include <cstdio>
#include <span>
#include <utility>

namespace jostle::server {
namespace {

constexpr std::size_t flush_bytes = 16U << 10;

}  // namespace

HashLog::HashLog(std::unique_ptr<net::OutputFile> file) : file_(std::move(file)) {
  if (const auto emptied = file_->write({}); !emptied) error_ = emptied.error();
}

HashLog::~HashLog() {
  flush();
}

void HashLog::add(state::Tick tick, std::uint64_t hash) {
  char line[32];
  const int size = std::snprintf(line, sizeof line, "%u %016llx\n", tick.number,
                                 static_cast<unsigned long long>(hash));
  ++lines_;
  pending_.append(line, static_cast<std::size_t>(size));
  if (pending_.size() >= flush_bytes) flush();
}

std::optional<net::IoError> HashLog::flush() {
  if (!error_ && !pending_.empty()) {
    const auto written = file_->write(std::as_bytes(std::span(pending_)));
    if (!written) error_ = written.error();
  }
  pending_.clear();
  return error_;
}

}  // namespace jostle::server
