#include "client/failure.h"

namespace jostle::client {

Failure failure_of(secure::Refusal refusal) {
  switch (refusal) {
    case secure::Refusal::OtherVersion:
      return Failure::OtherVersion;
    case secure::Refusal::OtherKey:
      return Failure::OtherKey;
    case secure::Refusal::TokenRequired:
      return Failure::TokenRequired;
    case secure::Refusal::TokenExpired:
      return Failure::TokenExpired;
    case secure::Refusal::TokenUsed:
      return Failure::TokenUsed;
    case secure::Refusal::TokenRevoked:
      return Failure::TokenRevoked;
    case secure::Refusal::TokenInvalid:
      return Failure::TokenInvalid;
    case secure::Refusal::SharedKeyRequired:
      return Failure::SharedKeyRequired;
    case secure::Refusal::SharedKeyNotUsed:
      return Failure::SharedKeyNotUsed;
    case secure::Refusal::Full:
      return Failure::Full;
    case secure::Refusal::Banned:
      return Failure::Banned;
    case secure::Refusal::None:
    case secure::Refusal::Unreadable:
      break;
  }
  return Failure::Unreadable;
}

Failure failure_of(net::DisconnectReason reason) {
  switch (reason) {
    case net::DisconnectReason::ServerFull:
      return Failure::Full;
    case net::DisconnectReason::VersionMismatch:
      return Failure::OtherVersion;
    case net::DisconnectReason::Refused:
      return Failure::NotAllowed;
    case net::DisconnectReason::TokenRevoked:
      return Failure::TokenRevoked;
    case net::DisconnectReason::ServerShutdown:
      return Failure::ShutDown;
    case net::DisconnectReason::Requested:
      return Failure::Replaced;
    case net::DisconnectReason::Misbehaved:
      return Failure::Kicked;
    case net::DisconnectReason::None:
    case net::DisconnectReason::TimedOut:
    case net::DisconnectReason::HandshakeTimeout:
    case net::DisconnectReason::TooSlow:
      break;
  }
  return Failure::Lost;
}

Failure failure_of(protocol::RejectCode code) {
  switch (code) {
    case protocol::RejectCode::VersionMismatch:
    case protocol::RejectCode::SchemaMismatch:
      return Failure::OtherVersion;
    case protocol::RejectCode::ServerFull:
      return Failure::Full;
    case protocol::RejectCode::BadHello:
    case protocol::RejectCode::NotAllowed:
      break;
  }
  return Failure::NotAllowed;
}

}  // namespace jostle::client
