#include "gate/relay/fragment_store.h"

#include "protocol/control_codec.h"
#include "shared/base/bytes.h"
#include "shared/base/parse_number.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace jostle::gate {
namespace {

/// First bytes of fragments and worlds: "JRLY" and the version 1.
constexpr std::uint32_t relay_magic = 0x59'4C'52'4A;
constexpr std::uint16_t relay_version = 1;
/// Maximum size of a fragment. A longer one ends its list of frames early.
constexpr std::size_t max_fragment_bytes = 16U << 20;

void append_head(std::vector<std::byte>& out) {
  base::ByteWriter writer;
  writer.u32(relay_magic);
  writer.u16(relay_version);
  out = writer.take();
}

http::Response file_response(std::shared_ptr<const std::string> body, const char* type,
                             const char* cache) {
  http::Response response;
  response.content_type = type;
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", cache);
  // Pages of other sites may show the audience's view.
  response.headers.emplace_back("Access-Control-Allow-Origin", "*");
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "cross-origin");
  return response;
}

std::shared_ptr<const std::string> text_of(std::span<const std::byte> bytes) {
  return std::make_shared<const std::string>(reinterpret_cast<const char*>(bytes.data()),
                                             bytes.size());
}

/// Returns N of the path `prefix`N.jrly.
std::optional<std::uint64_t> number_in(std::string_view path, std::string_view prefix) {
  constexpr std::string_view ending = ".jrly";
  if (!path.starts_with(prefix) || !path.ends_with(ending)) return std::nullopt;
  path.remove_prefix(prefix.size());
  path.remove_suffix(ending.size());
  return base::parse_number<std::uint64_t>(path);
}

}  // namespace

void append_record(std::vector<std::byte>& out, std::uint32_t milliseconds,
                   const RelayMessage& message) {
  base::ByteWriter writer;
  writer.u32(milliseconds);
  writer.u8(static_cast<std::uint8_t>(message.channel));
  writer.u32(static_cast<std::uint32_t>(message.bytes.size()));
  writer.raw(message.bytes);
  out.insert(out.end(), writer.bytes().begin(), writer.bytes().end());
}

void FragmentStore::add(const RelayFrame& frame, std::int64_t now_us) {
  if (frame.is_key) {
    if (open_) {
      open_->body = text_of(open_->bytes);
      open_->bytes = {};
      complete_.push_back(*std::move(open_));
      while (complete_.size() > options_.kept)
        complete_.pop_front();
    }
    open_.emplace();
    open_->number = next_++;
    open_->world = frame.world;
    open_->first_tick = frame.tick.number;
    open_->began_us = now_us;
    append_head(open_->bytes);
  }
  if (!open_) return;
  open_->last_tick = frame.tick.number;
  // A viewer of the fragment begins with the world of its first frame, so the changes before it are
  // only for viewers that come from the fragment before.
  for (const RelayMessage& message : frame.changes)
    append(message, now_us);
  for (const RelayMessage& message : frame.parts)
    append(message, now_us);
}

void FragmentStore::add(const RelayMessage& message, std::int64_t now_us) {
  if (open_) append(message, now_us);
}

void FragmentStore::append(const RelayMessage& message, std::int64_t now_us) {
  if (open_->bytes.size() + message.bytes.size() > max_fragment_bytes) return;
  append_record(open_->bytes, static_cast<std::uint32_t>((now_us - open_->began_us) / 1'000),
                message);
}

FragmentStore::Fragment* FragmentStore::find(std::uint64_t number) {
  const auto found =
      std::find_if(complete_.begin(), complete_.end(),
                   [number](const Fragment& fragment) { return fragment.number == number; });
  return found == complete_.end() ? nullptr : &*found;
}

std::string FragmentStore::live_text() const {
  if (complete_.empty()) return "{\"newest\":0}\n";
  const Fragment& newest = complete_.back();
  char text[256];
  std::snprintf(text, sizeof text,
                "{\"newest\":%llu,\"oldest\":%llu,\"fragment_seconds\":%g,\"tick_rate_hz\":%u,"
                "\"first_tick\":%u,\"last_tick\":%u}\n",
                static_cast<unsigned long long>(newest.number),
                static_cast<unsigned long long>(complete_.front().number),
                options_.fragment_seconds, static_cast<unsigned>(welcome_.tick_rate_hz),
                newest.first_tick, newest.last_tick);
  return text;
}

/// Returns the messages that a viewer needs before a fragment: the Welcome and the world.
std::shared_ptr<const std::string> FragmentStore::world_of(Fragment& fragment) const {
  if (fragment.world_body != nullptr) return fragment.world_body;
  std::vector<std::byte> bytes;
  append_head(bytes);
  protocol::Welcome welcome = welcome_;
  welcome.tick = {fragment.first_tick};
  welcome.world_revision = fragment.world->revision;
  append_record(bytes, 0, {net::Channel::Control, protocol::encode_control(welcome)});
  for (const RelayMessage& message : world_messages(*fragment.world))
    append_record(bytes, 0, message);
  return fragment.world_body = text_of(bytes);
}

std::optional<http::Response> FragmentStore::respond(const std::string& path) {
  constexpr const char* type = "application/octet-stream";
  // The list changes with each fragment. Fragments never change.
  if (path == "live.json")
    return file_response(std::make_shared<const std::string>(live_text()), "application/json",
                         "public, max-age=1");
  const auto fragment = number_in(path, "fragment-"), world = number_in(path, "world-");
  if (!fragment && !world) return std::nullopt;
  Fragment* const found = find(fragment ? *fragment : *world);
  if (found == nullptr) return http::text_response(404, "this fragment is not available");
  constexpr const char* cache = "public, max-age=3600, immutable";
  return file_response(fragment ? found->body : world_of(*found), type, cache);
}

}  // namespace jostle::gate
