// Fuzzes the C API: calls functions in any order, with valid, stale and foreign handles and
// with definitions in which some numbers are replaced. Every call must succeed or be refused with a
// message.
#include "shared/base/assert.h"
#include "tests/fuzz/api_calls.h"

namespace jostle::fuzz_api {
namespace {

constexpr std::size_t max_calls = 300;

}  // namespace

JOSTLE_FUZZ_TARGET(api, data, size) {
  Session session(data, size);
  for (std::size_t i = 0; i < max_calls && !session.input().is_empty(); ++i) {
    constexpr std::uint8_t first_server_call = 240;
    const std::uint8_t choice = session.input().u8();
    if (choice >= first_server_call) {
      call_server(session);
      continue;
    }
    switch (choice % 6) {
      case 0:
        call_world(session);
        break;
      case 1:
        call_body(session);
        break;
      case 2:
        call_shape(session);
        break;
      case 3:
        call_joint(session);
        break;
      case 4:
        call_field(session);
        break;
      default:
        call_query(session);
    }
  }
  return 0;
}

}  // namespace jostle::fuzz_api
