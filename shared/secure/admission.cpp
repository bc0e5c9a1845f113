#include "shared/secure/admission.h"

namespace jostle::secure {

std::string_view describe(Admission admission) {
  switch (admission) {
    case Admission::Accepted:
      return "accepted";
    case Admission::TokenMissing:
      return "it requires a token";
    case Admission::TokenUnreadable:
      return "the token is not valid";
    case Admission::TokenForged:
      return "the token was not signed by this server's issuer";
    case Admission::TokenForOtherServer:
      return "the token is for another server";
    case Admission::TokenExpired:
      return "the token has expired";
    case Admission::TokenUsed:
      return "the token is single-use and was already used";
    case Admission::TokenRevoked:
      return "the token was revoked";
    case Admission::TokenOfOtherClient:
      return "the token was issued for another client's key";
    case Admission::ServerFull:
      return "the server is full";
    case Admission::Banned:
      return "this address is banned for a while";
  }
  return "unknown answer";
}

}  // namespace jostle::secure
