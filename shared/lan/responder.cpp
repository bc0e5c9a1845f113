#include "shared/lan/responder.h"

#include "shared/lan/local_address.h"

#include <array>
#include <optional>

namespace jostle::lan {
namespace {

constexpr int max_questions_at_once = 64;

}  // namespace

void DiscoveryServer::serve(net::DatagramSocket& socket, const std::function<ServerInfo()>& facts,
                            std::int64_t now_us) {
  std::optional<ServerInfo> sent;
  // one byte more than a request, so that longer datagrams are detected
  std::array<std::byte, probe_bytes + 1> buffer{};
  for (int i = 0; i < max_questions_at_once; ++i) {
    const auto received = socket.receive(buffer);
    if (!received) return;
    const bool may_ask = received->from.port != 0 && is_local(received->from.ip);
    const auto probe = decode_probe(std::span(buffer).first(received->bytes));
    if (!may_ask || received->is_truncated || !probe) {
      ++counters_.refused;
    } else if (!token_bucket_.take(now_us)) {
      ++counters_.too_many;
    } else {
      if (!sent) sent = facts();
      const auto bytes =
          encode(DiscoveryResponse{.nonce = probe->nonce, .instance = instance_, .facts = *sent});
      ++(socket.send(received->from, bytes) ? counters_.answered : counters_.not_taken);
    }
  }
}

}  // namespace jostle::lan
