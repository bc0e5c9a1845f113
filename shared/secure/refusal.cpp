#include "shared/secure/refusal.h"

#include "shared/base/assert.h"

namespace jostle::secure {

Refusal refusal_of(Admission admission) {
  switch (admission) {
    case Admission::Accepted:
      break;
    case Admission::TokenMissing:
      return Refusal::TokenRequired;
    case Admission::TokenUnreadable:
    case Admission::TokenForged:
    case Admission::TokenForOtherServer:
    case Admission::TokenOfOtherClient:
      return Refusal::TokenInvalid;
    case Admission::TokenExpired:
      return Refusal::TokenExpired;
    case Admission::TokenUsed:
      return Refusal::TokenUsed;
    case Admission::TokenRevoked:
      return Refusal::TokenRevoked;
    case Admission::ServerFull:
      return Refusal::Full;
    case Admission::Banned:
      return Refusal::Banned;
  }
  JOSTLE_ASSERT(admission != Admission::Accepted);
  return Refusal::Unreadable;
}

}  // namespace jostle::secure
