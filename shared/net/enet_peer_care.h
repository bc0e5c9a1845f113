#pragma once

#include <cstddef>
#include <cstdint>

struct _ENetPeer;

namespace jostle::net {

/// ENet's own timers only back up ours: silence is measured on everything that is heard, while
/// ENet gives up when acknowledgements fail, which loss alone can cause.
void set_backup_timeout(_ENetPeer& peer, std::int64_t silence_timeout_us);

// What ENet leaves undone for a peer, done on the public fields of its structures. The library
// itself stays unmodified.

/// Bounds how long a reliable command waits for its next attempt. ENet doubles the wait without
/// limit: after five losses in a row, which happen every minute at 30 % loss, a message would lie
/// there for half a minute and hold up all that follow. Cap: one second, or twice the normal
/// timeout where the round trip is longer.
void cap_retransmission(_ENetPeer& peer);

/// Sends the VERIFY_CONNECT once more: the other side has just repeated its CONNECT.
void repeat_connect_answer(_ENetPeer& peer);

/// Commands that arrived out of order and wait for the missing ones; counts no further than
/// `limit`.
std::size_t waiting_commands(_ENetPeer& peer, std::size_t limit);

/// True when something has arrived from the peer, accepted by ENet as the peer's, since the last
/// call.
bool take_heard(_ENetPeer& peer);

}  // namespace jostle::net
