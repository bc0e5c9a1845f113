#include "shared/net/enet_peer_tuning.h"

#include <enet/enet.h>
#include <enet/time.h>

#include <algorithm>

namespace jostle::net {
namespace {

constexpr enet_uint32 retransmission_cap_ms = 300;
/// Longest normal timeout. ENet's round-trip time follows the link only as fast as messages are
/// acknowledged. After a stall of many seconds, a lost message would wait for as long once more.
constexpr enet_uint32 most_normal_ms = 2'000;

bool is_before(enet_uint32 a, enet_uint32 b) {
  return ENET_TIME_LESS(a, b);
}

/// Returns the command of a list node, which is the first member of each of ENet's commands.
template <typename Command>
Command& command_at(ENetListIterator iterator) {
  return *reinterpret_cast<Command*>(iterator);
}

/// Returns the VERIFY_CONNECT that is not acknowledged yet; null if there is none. It is the first
/// of the sent reliable commands, because no other command is sent before it.
ENetOutgoingCommand* connect_answer(ENetPeer& peer) {
  if (peer.state != ENET_PEER_STATE_ACKNOWLEDGING_CONNECT) return nullptr;
  if (enet_list_empty(&peer.sentReliableCommands)) return nullptr;
  return &command_at<ENetOutgoingCommand>(enet_list_begin(&peer.sentReliableCommands));
}

}  // namespace

void set_backup_timeout(_ENetPeer& peer, std::int64_t silence_timeout_us) {
  const auto timeout_ms = static_cast<enet_uint32>(
      std::clamp<std::int64_t>(silence_timeout_us * 12 / 1'000, 60'000, 3'600'000));
  enet_peer_timeout(&peer, ENET_PEER_TIMEOUT_LIMIT, timeout_ms, timeout_ms);
}

void cap_retransmission(_ENetPeer& peer) {
  ENetList& sent = peer.sentReliableCommands;
  if (enet_list_empty(&sent)) return;
  const enet_uint32 normal_ms =
      std::min(peer.roundTripTime + 4 * peer.roundTripTimeVariance, most_normal_ms);
  const enet_uint32 cap_ms = std::max(retransmission_cap_ms, normal_ms + normal_ms / 2);
  bool is_first = true;
  for (ENetListIterator at = enet_list_begin(&sent); at != enet_list_end(&sent);
       at = enet_list_next(at)) {
    auto& command = command_at<ENetOutgoingCommand>(at);
    command.roundTripTimeout = std::min(command.roundTripTimeout, cap_ms);
    const enet_uint32 due = command.sentTime + command.roundTripTimeout;
    // ENet checks the list only when nextTimeout is reached, and itself computes nextTimeout from
    // the first entry only.
    if (is_first || is_before(due, peer.nextTimeout)) peer.nextTimeout = due;
    is_first = false;
  }
}

void repeat_connect_answer(_ENetPeer& peer) {
  ENetOutgoingCommand* const answer = connect_answer(peer);
  if (answer == nullptr) return;
  answer->roundTripTimeout = 0;
  peer.nextTimeout = peer.host->serviceTime;
}

std::size_t waiting_commands(_ENetPeer& peer, std::size_t limit) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < peer.channelCount && count < limit; ++i) {
    ENetList& waiting = peer.channels[i].incomingReliableCommands;
    for (ENetListIterator at = enet_list_begin(&waiting);
         at != enet_list_end(&waiting) && count < limit; at = enet_list_next(at)) {
      ++count;
    }
  }
  return count;
}

bool take_heard(_ENetPeer& peer) {
  // ENet adds a datagram's length to this field after it has matched address, peer number and
  // session. ENet itself never reads the sum.
  const bool is_heard = peer.incomingDataTotal != 0;
  peer.incomingDataTotal = 0;
  return is_heard;
}

}  // namespace jostle::net
