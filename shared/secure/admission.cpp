#include "shared/secure/admission.h"

namespace jostle::secure {

std::string_view describe(Admission admission) {
  switch (admission) {
    case Admission::Accepted:
      return "accepted";
    case Admission::TokenMissing:
      return "it asks for a token";
    case Admission::TokenUnreadable:
      return "the token is unreadable";
    case Admission::TokenForged:
      return "the token was not signed by who issues tokens for this server";
    case Admission::TokenForOtherServer:
      return "the token is for another server";
    case Admission::TokenExpired:
      return "the token has expired";
    case Admission::TokenUsed:
      return "the token lets in once, and has been used";
    case Admission::TokenRevoked:
      return "the token was revoked";
    case Admission::TokenOfOtherClient:
      return "the token was issued to another client";
    case Admission::ServerFull:
      return "the server is full";
    case Admission::Banned:
      return "banned";
  }
  return "unknown answer";
}

}  // namespace jostle::secure
