#include "shared/net/transport.h"

namespace jostle::net {

std::string_view describe(DisconnectReason reason) {
  switch (reason) {
    case DisconnectReason::None:
      return "no reason";
    case DisconnectReason::Requested:
      return "the other side closed the connection";
    case DisconnectReason::TimedOut:
      return "the connection timed out";
    case DisconnectReason::ServerFull:
      return "the server is full";
    case DisconnectReason::VersionMismatch:
      return "the versions do not match";
    case DisconnectReason::Misbehaved:
      return "too many invalid messages";
    case DisconnectReason::ServerShutdown:
      return "the server shut down";
    case DisconnectReason::HandshakeTimeout:
      return "no Hello message arrived in time";
    case DisconnectReason::Refused:
      return "the server refused the connection";
    case DisconnectReason::TooSlow:
      return "too slow to receive the required data";
    case DisconnectReason::TokenRevoked:
      return "the token was revoked";
  }
  return "an unknown reason";
}

}  // namespace jostle::net
