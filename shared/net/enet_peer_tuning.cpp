#include "shared/net/enet_peer_tuning.h"

#include <enet/enet.h>
#include <enet/time.h>

#include <algorithm>
#include <vector>

namespace jostle::net {
namespace {

constexpr enet_uint32 retransmission_cap_ms = 300;
/// Longest normal timeout. ENet's round-trip time follows the link only as fast as messages are
/// acknowledged. After a stall of many seconds, a lost message would wait for as long once more.
constexpr enet_uint32 most_normal_ms = 2'000;
/// Time that a command may wait in a queue before it is sent again without evidence of a loss.
constexpr enet_uint32 queue_patience_ms = 100;
/// Number of commands per channel that are sent again without evidence of a loss, beside short
/// ones.
constexpr std::ptrdiff_t head_commands = 2;
constexpr enet_uint16 long_command_bytes = 512;

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

using Commands = std::vector<ENetOutgoingCommand*>;

/// Adds the reliable commands of a list.
void add_reliable(ENetList& list, Commands& commands) {
  for (ENetListIterator at = enet_list_begin(&list); at != enet_list_end(&list);
       at = enet_list_next(at)) {
    auto& command = command_at<ENetOutgoingCommand>(at);
    if ((command.command.header.command & ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE) != 0)
      commands.push_back(&command);
  }
}

enet_uint8 channel_of(const ENetOutgoingCommand& command) {
  return command.command.header.channelID;
}

/// Returns the number of the newest reliable command of a channel.
enet_uint16 newest_number(const ENetPeer& peer, enet_uint8 channel) {
  return channel < peer.channelCount ? peer.channels[channel].outgoingReliableSequenceNumber
                                     : peer.outgoingReliableSequenceNumber;
}

/// Returns how many numbers a command is before the newest one of its channel.
enet_uint16 numbers_after(const ENetPeer& peer, const ENetOutgoingCommand& command) {
  return static_cast<enet_uint16>(newest_number(peer, channel_of(command)) -
                                  command.reliableSequenceNumber);
}

/// Sets the timeout of a command. `is_lost` is true if a later one was acknowledged, `is_head` if
/// it is among the first of its channel.
void set_timeout(const ENetPeer& peer, ENetOutgoingCommand& command, bool is_lost, bool is_head) {
  const enet_uint32 normal_ms =
      std::min(peer.roundTripTime + 4 * peer.roundTripTimeVariance, most_normal_ms);
  const enet_uint32 cap_ms = std::max(retransmission_cap_ms, normal_ms + normal_ms / 2);
  const enet_uint32 age_ms = peer.host->serviceTime - command.sentTime;
  enet_uint32& timeout_ms = command.roundTripTimeout;
  if (is_lost && command.sendAttempts <= 1) {
    timeout_ms = std::min(timeout_ms, normal_ms);
  } else if (is_lost || is_head || command.fragmentLength < long_command_bytes) {
    timeout_ms = std::clamp(timeout_ms, std::min(normal_ms + queue_patience_ms, cap_ms), cap_ms);
  } else {
    timeout_ms = std::max(timeout_ms, age_ms + cap_ms);
  }
}

}  // namespace

void set_backup_timeout(_ENetPeer& peer, std::int64_t silence_timeout_us) {
  const auto timeout_ms = static_cast<enet_uint32>(
      std::clamp<std::int64_t>(silence_timeout_us * 12 / 1'000, 60'000, 3'600'000));
  enet_peer_timeout(&peer, ENET_PEER_TIMEOUT_LIMIT, timeout_ms, timeout_ms);
}

void tune_retransmission(_ENetPeer& peer) {
  ENetList& sent = peer.sentReliableCommands;
  if (enet_list_empty(&sent)) return;
  // ENet keeps the commands in the order of their last transmission.
  Commands all;
  add_reliable(sent, all);
  add_reliable(peer.outgoingCommands, all);
  std::sort(all.begin(), all.end(), [&](const auto* a, const auto* b) {
    return channel_of(*a) != channel_of(*b) ? channel_of(*a) < channel_of(*b)
                                            : numbers_after(peer, *a) > numbers_after(peer, *b);
  });
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(), [&](const auto* command) {
      return channel_of(*command) != channel_of(**begin);
    });
    for (auto at = begin; at != end; ++at) {
      const bool is_lost = numbers_after(peer, **at) >= end - at;
      set_timeout(peer, **at, is_lost, at - begin < head_commands);
    }
    begin = end;
  }
  bool is_first = true;
  for (ENetListIterator at = enet_list_begin(&sent); at != enet_list_end(&sent);
       at = enet_list_next(at)) {
    const auto& command = command_at<ENetOutgoingCommand>(at);
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
