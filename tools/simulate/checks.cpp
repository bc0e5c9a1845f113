#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"
#include "shared/sim/players.h"
#include "tools/simulate/progress.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <variant>

namespace jostle::simulate {

/// A disk without faults makes ticks durable in time, and durable ticks stay durable.
void Run::check_durable() {
  if (disk_.is_failing() || writer_.is_stalled() || journal_->is_degraded())
    healthy_since_ = last_tick_;
  const std::uint32_t durable = journal_->status().durable_tick;
  // The journal takes them back when the file of a segment is removed, which no fault does.
  if (durable < last_durable_) fail("durable ticks stay durable");
  last_durable_ = durable;
  if (last_tick_ - healthy_since_ > healthy_ticks && durable + durable_ticks < last_tick_)
    fail("a healthy disk makes ticks durable in 200 ms");
}

/// No player stays without a client for longer than the window.
void Run::check_absent_players() {
  std::set<std::uint16_t> absent;
  for (const sim::Player& player : match_.simulation().players().all())
    absent.insert(player.id.value);
  for (const auto& [peer, session] : match_.server().sessions())
    absent.erase(session.player.value);
  std::erase_if(absent_since_, [&](const auto& entry) { return !absent.contains(entry.first); });
  for (const std::uint16_t player : absent) {
    const double since = absent_since_.try_emplace(player, now_s()).first->second;
    // The server may stand still.
    if (now_s() - since > window_s + 3) fail("a player without a client leaves after its window");
  }
}

/// A single-use token admits one client, also after a restart.
void Run::check_tokens() {
  for (const auto& [peer, session] : match_.server().sessions()) {
    if (session.state == server::ClientSessionState::AwaitHello) continue;
    const auto identity = match_.server_transport().identity(peer);
    if (!identity || !identity->token) continue;
    const auto known = welcomed_.try_emplace(*identity->token, identity->key).first;
    if (known->second != identity->key) fail("a single-use token admits one client");
  }
}

/// The server opens no datagram of a session twice.
void Run::check_replays() {
  const auto accepted = static_cast<std::size_t>(net::DatagramVerdict::Accepted);
  if (match_.server_verdicts()[accepted] > sealed_sent_)
    fail("the server opens each datagram at most once");
}

/// A client keeps its player as long as that is in the world, also after a restart.
void Run::check_owners() {
  check_absent_players();
  check_tokens();
  if (now_s() > restarted_s_ + window_s - 2) restored_players_.clear();
  const sim::Players& players = match_.simulation().players();
  std::set<std::uint16_t> taken;
  for (const auto& [peer, session] : match_.server().sessions()) {
    if (session.player.is_null() || session.state == server::ClientSessionState::AwaitHello)
      continue;
    if (!taken.insert(session.player.value).second) fail("a player has one client");
    // A client that plays has received its reconnect token.
    const auto identity = match_.server_transport().identity(peer);
    if (!identity || session.state != server::ClientSessionState::Playing) continue;
    seen_s_[identity->key] = now_s();
    std::uint16_t& known = owners_[identity->key];
    // Tokens that could not be written are lost.
    const bool are_tokens_safe = disk_.errors() == 0 && !was_ever_stalled_;
    const bool is_there = restored_players_.contains(known) || players.find({known}) != nullptr;
    if (known != 0 && known != session.player.value && is_there && are_tokens_safe)
      fail("a client returns to its own player");
    restored_players_.erase(session.player.value);
    known = session.player.value;
  }
}

/// A damaged byte is cut off, unless the whole segment is left out.
void Run::check_damage(const VirtualDisk::Place& damage, const journal::Restored& restored) {
  const auto size = disk_.size(damage.path);
  if (!size || *size <= damage.byte) return;
  const auto is_left_out = [&](const std::string& warning) {
    return warning.starts_with("'" + damage.path + "' has no complete state");
  };
  if (std::none_of(restored.warnings.begin(), restored.warnings.end(), is_left_out))
    fail("a damaged journal is cut before the damage or refused");
}

void Run::check_restored(const journal::Restored& restored) {
  const std::uint32_t tick = restored.simulation->tick().number;
  result_.ticks_lost += crashed_tick_ - std::min(tick, crashed_tick_);
  const auto known = history_.find(tick);
  if (known == history_.end()) return fail("a restored tick was simulated before");
  if (known->second != restored.hash || restored.simulation->hash().total != restored.hash)
    return fail("a restored state has the hash that it had before the crash");
  if (rot_) check_damage(*rot_, restored);
  // Damage may take the end of the journal without a trace, as a torn end does.
  has_gone_back_ = has_gone_back_ || is_rotten_;
  if (is_rotten_) return history_.erase(std::next(known), history_.end()), void();
  if (tick < durable_tick_) fail("no durable tick is lost");
  if (!has_gone_back_ && tick < told_tick_)
    fail("no tick is lost that a client knows to be durable");
  if (!is_power_loss_ && was_writing_ && crashed_tick_ - tick > lossy_ticks)
    fail("a crash of the process loses at most 100 ms");
  history_.erase(std::next(known), history_.end());
}

/// Every client that is still there plays, and is less than a second behind the server.
void Run::check_clients() {
  for (std::size_t i = 0; i < match_.seats().size(); ++i) {
    if (gone_.contains(i)) continue;
    const client::Client& client = *match_.seats()[i]->client;
    const bool is_playing = client.status().state == client::ClientState::Playing;
    const auto newest = client.metrics().newest_tick.number;
    if (!is_playing || newest + 60 < last_tick_)
      fail("10 s after the last fault every client is current: client " + std::to_string(i) + " " +
           (is_playing ? "is late" : "does not play: " + client.status().text));
  }
}

/// Each action was applied once.
void Run::check_actions(const std::vector<journal::SegmentFile>& segments) {
  std::set<float> applied;
  for (const journal::SegmentFile& segment : segments) {
    const auto bytes = disk_.read(segment.path);
    const auto recording = record::read_start(*bytes);
    if (!recording) continue;
    for (const record::RecordedBlock& block : recording->recording.blocks) {
      for (const record::RecordedTick& tick : block.ticks) {
        for (const state::Command& command : tick.commands.commands) {
          const auto* const input = std::get_if<state::InputCommand>(&command);
          if (input == nullptr) continue;
          for (const state::Action& action : input->input.actions) {
            if (action.point.y == 1'000 && !applied.insert(action.point.x).second)
              fail("an action is applied once");
          }
        }
      }
    }
  }
}

/// The journal replays to the live state.
void Run::check_journal() {
  writer_.run();
  (void)journal_->close(match_.simulation(), 1);
  const auto restored = journal::restore(disk_, folder, false);
  if (!restored || *restored == nullptr)
    return fail("the journal of a healthy server is restored" +
                (restored ? "" : ": " + restored.error().text));
  if ((*restored)->hash != match_.simulation().hash().total)
    fail("the journal ends with the live state");
  const auto segments = journal::segments_of(disk_, folder);
  check_actions(*segments);
  const auto bytes = disk_.read(segments->back().path);
  const auto recording = record::read_recording(*bytes);
  if (!recording) return fail("the newest segment can be read: " + recording.error().text());
  if (recording->blocks.empty()) return;
  auto simulation = record::start_replay(*recording);
  if (!simulation || !record::verify(*recording, **simulation).is_same())
    fail("the newest segment replays to its hashes");
}

}  // namespace jostle::simulate
