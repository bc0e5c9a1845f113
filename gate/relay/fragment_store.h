#pragma once

#include "shared/http/request.h"

#include "gate/relay/relay_stream.h"
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace jostle::gate {

/// The frames of a relay as files that caches can serve. A fragment begins with a key frame and
/// ends before the next one. docs/WEB.md specifies the files.
class FragmentStore {
 public:
  struct Options {
    double fragment_seconds = 2;  // expected length, for viewers
    std::size_t kept = 16;        // number of complete fragments that stay available
  };
  FragmentStore(const Options& options, protocol::Welcome welcome)
      : options_(options), welcome_(std::move(welcome)) {}

  /// Adds a frame that was published at `now_us`. A key frame completes the fragment before it.
  void add(const RelayFrame& frame, std::int64_t now_us);
  /// Adds a message that is no part of a snapshot, such as labels.
  void add(const RelayMessage& message, std::int64_t now_us);

  /// Returns the answer for a path: "live.json", "fragment-N.jrly" or "world-N.jrly", where N is
  /// the number of a fragment. Nothing for other paths.
  std::optional<http::Response> respond(const std::string& path);

 private:
  struct Fragment {
    std::uint64_t number = 0;
    SharedWorld world;  // at the first frame
    std::uint32_t first_tick = 0, last_tick = 0;
    std::int64_t began_us = 0;
    std::vector<std::byte> bytes;
    std::shared_ptr<const std::string> body;        // of a complete fragment
    std::shared_ptr<const std::string> world_body;  // encoded at the first request
  };
  void append(const RelayMessage& message, std::int64_t now_us);
  Fragment* find(std::uint64_t number);
  std::string live_text() const;
  std::shared_ptr<const std::string> world_of(Fragment& fragment) const;

  Options options_;
  protocol::Welcome welcome_;
  std::optional<Fragment> open_;
  std::deque<Fragment> complete_;
  std::uint64_t next_ = 1;
};

/// Appends a record of a fragment: milliseconds since its beginning (u32), channel (u8), length
/// (u32), bytes.
void append_record(std::vector<std::byte>& out, std::uint32_t milliseconds,
                   const RelayMessage& message);

}  // namespace jostle::gate
