#include "server/lockstep_server.h"

#include "protocol/control_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"
#include "shared/desync_search/desync_search.h"

#include <algorithm>
#include <utility>

namespace jostle::server {
namespace {

/// Maximum number of messages that frames_for() returns at once. It limits the traffic to a peer
/// that is far behind: until the peer acknowledges frames, each call returns the same ones again.
constexpr int most_messages = 4;

}  // namespace

void LockstepServer::note(const state::TickCommands& commands, const sim::Simulation& after) {
  if (!frames_.empty() && commands.tick != frames_.back().commands.tick + 1) frames_.clear();
  frames_.push_back({commands, length_of(commands)});
  if (frames_.size() > kept_frames) frames_.pop_front();
  memory_.keep(after, commands);
}

LockstepServer::Length LockstepServer::length_of(const state::TickCommands& frame) {
  if (protocol::encode_frames({{frame}, {}, 0, 0}).bytes.size() <=
      protocol::max_state_message_bytes)
    return Length::Short;
  return protocol::encode_control(frame).size() <= protocol::max_control_message_bytes
             ? Length::Long
             : Length::TooLong;
}

void LockstepServer::clear() {
  frames_.clear();
  memory_.clear();
}

const LockstepServer::Frame* LockstepServer::frame(state::Tick tick) const {
  if (frames_.empty() || tick < frames_.front().commands.tick ||
      tick > frames_.back().commands.tick)
    return nullptr;
  return &frames_[static_cast<std::size_t>(tick - frames_.front().commands.tick)];
}

bool LockstepServer::is_unrecoverable(const LockstepPeer& peer) const {
  if (!peer.is_sent || frames_.empty()) return false;
  const state::Tick newest = frames_.back().commands.tick;
  for (state::Tick has = peer.newest.value_or(peer.begins_after); has < newest; has = has + 1)
    if (frame(has + 1) == nullptr || frame(has + 1)->length == Length::TooLong) return true;
  return false;
}

std::vector<std::vector<std::byte>> LockstepServer::frames_for(const LockstepPeer& peer,
                                                               const FrameMetadata& sent) {
  std::vector<std::vector<std::byte>> messages;
  if (!peer.newest) return messages;
  state::Tick next = *peer.newest + 1;
  while (messages.size() < most_messages) {
    protocol::InputFrames message{{}, sent.input_ack, sent.input_margin_ticks, sent.server_send_us};
    // Long frames are sent separately, see next_long_frame().
    while (frame(next) != nullptr && frame(next)->length != Length::Short)
      next = next + 1;
    for (state::Tick tick = next; message.frames.size() < protocol::max_frames_per_message;
         tick = tick + 1) {
      const Frame* const held = frame(tick);
      if (held == nullptr || held->length != Length::Short) break;
      message.frames.push_back(held->commands);
    }
    if (message.frames.empty()) break;
    protocol::EncodedFrames encoded = protocol::encode_frames(message);
    next = next + static_cast<std::uint32_t>(encoded.count);
    messages.push_back(std::move(encoded.bytes));
  }
  return messages;
}

const state::TickCommands* LockstepServer::next_long_frame(LockstepPeer& peer) const {
  if (!peer.newest) return nullptr;
  for (state::Tick tick = std::max(*peer.newest, peer.newest_long_frame) + 1;
       frame(tick) != nullptr; tick = tick + 1) {
    if (frame(tick)->length != Length::Long) continue;
    peer.newest_long_frame = tick;
    return &frame(tick)->commands;
  }
  return nullptr;
}

std::optional<protocol::DesyncQuestion> LockstepServer::take(
    LockstepPeer& peer, const protocol::FrameReport& report) const {
  // Ignore a report about ticks before the state that was sent to the peer, or about ticks that the
  // server has not simulated.
  if (!peer.is_sent || report.newest < peer.begins_after || frames_.empty() ||
      report.newest > frames_.back().commands.tick)
    return std::nullopt;
  if (!peer.newest || report.newest > *peer.newest) peer.newest = report.newest;
  if (peer.has_desynced || peer.asked || report.hashed <= peer.compared) return std::nullopt;
  const auto own = memory_.hash_since(report.hashed, protocol::hash_interval_ticks);
  if (!own) return std::nullopt;
  peer.compared = report.hashed;
  if (*own == report.hash) return std::nullopt;
  auto question = desync_search::first_question(memory_, report.hashed);
  if (question) peer.asked = question->level;
  return question;
}

std::optional<desync_search::NextStep> LockstepServer::take(LockstepPeer& peer,
                                                            const protocol::DesyncAnswer& answer,
                                                            const std::string& name) {
  if (std::exchange(peer.asked, std::nullopt) != answer.level) return std::nullopt;
  desync_search::NextStep next = desync_search::advance_search(memory_, answer, name);
  if (const auto* const question = std::get_if<protocol::DesyncQuestion>(&next)) {
    peer.asked = question->level;
  } else {
    peer.has_desynced = true;
  }
  return next;
}

}  // namespace jostle::server
