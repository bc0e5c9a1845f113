#pragma once

#include <cstddef>
#include <cstdint>

struct _ENetPeer;

namespace jostle::net {

/// Sets ENet's timeout to 12 times `silence_timeout_us`, within 1 min to 1 h, so that it is only a
/// fallback. This transport measures silence: the time since any datagram arrived. ENet gives up if
/// acknowledgements are missing, which packet loss alone can cause.
void set_backup_timeout(_ENetPeer& peer, std::int64_t silence_timeout_us);

// Maintenance that ENet does not do for its peers. These functions work on the public fields of
// ENet's structures; the library is unmodified.

/// Decides when reliable commands are sent again. ENet sends each command again after its own
/// timeout, which it doubles without limit. At 30 % loss, five losses in a row happen every minute;
/// a message would then wait for half a minute and block all later messages of its channel. Over a
/// link with a long queue, however, ENet sends everything again although nothing was lost.
///
/// A command is lost if a later one of its channel was acknowledged. Without this evidence, only
/// short commands and the first two of a channel are sent again, after the normal timeout plus
/// 100 ms. The limit of repeated timeouts is 300 ms, or 1.5 times the normal timeout if that is
/// longer. The normal timeout counts as at most 2 s, because ENet measures a link that has become
/// fast again only with the next acknowledgements.
void tune_retransmission(_ENetPeer& peer);

/// Sends the VERIFY_CONNECT again, because the other side has repeated its CONNECT.
void repeat_connect_answer(_ENetPeer& peer);

/// Returns the number of commands that arrived out of order and wait for missing ones. Stops
/// counting at `limit`.
std::size_t waiting_commands(_ENetPeer& peer, std::size_t limit);

/// Returns true if ENet has accepted a datagram from the peer since the last call.
bool take_heard(_ENetPeer& peer);

}  // namespace jostle::net
