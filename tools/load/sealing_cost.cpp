#include "tools/load/sealing_cost.h"

#include "shared/base/assert.h"
#include "shared/net/system_io.h"
#include "shared/secure/handshake_initiator.h"
#include "shared/secure/handshake_responder.h"
#include "shared/secure/sealed_datagram.h"
#include "tools/load/phase_clock.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace jostle::load {
namespace {

constexpr std::size_t batches = 41, datagrams_per_batch = 500, exchanges_per_batch = 10;

/// Returns the CPU time of one call, in µs: the median over the batches of their mean.
double median_us(std::size_t calls_per_batch, const std::function<void(std::size_t)>& call) {
  std::vector<double> times;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::int64_t before_ns = thread_cpu_ns();
    for (std::size_t i = 0; i < calls_per_batch; ++i)
      call(i);
    times.push_back(static_cast<double>(thread_cpu_ns() - before_ns) * 1e-3 /
                    static_cast<double>(calls_per_batch));
  }
  std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
  return times[batches / 2];
}

using Datagram = std::array<std::byte, secure::max_datagram_bytes>;

void measure_datagrams(SealingCost& cost, const crypto::FillRandom& fill_random) {
  const crypto::AeadKey key = crypto::random_secret<crypto::aead_key_bytes>(fill_random);
  secure::DatagramEncryptor sealer(key, 1);
  std::vector<Datagram> datagrams(datagrams_per_batch);
  cost.seal_us = median_us(datagrams_per_batch, [&](std::size_t i) { sealer.seal(datagrams[i]); });
  // A datagram can be opened only once, so each batch opens the datagrams that were sealed for it.
  std::vector<double> times;
  secure::DatagramDecryptor opener(key);
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (Datagram& datagram : datagrams)
      sealer.seal(datagram);
    const std::int64_t before_ns = thread_cpu_ns();
    for (Datagram& datagram : datagrams)
      JOSTLE_ASSERT(opener.open(datagram).verdict == secure::DatagramDecryptor::Verdict::Opened);
    times.push_back(static_cast<double>(thread_cpu_ns() - before_ns) * 1e-3 / datagrams_per_batch);
  }
  std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
  cost.open_us = times[batches / 2];
  Datagram forged{};
  forged[0] = std::byte{5};
  forged[6] = std::byte{0xFF};
  cost.refuse_us = median_us(datagrams_per_batch, [&](std::size_t) {
    JOSTLE_ASSERT(opener.open(forged).verdict == secure::DatagramDecryptor::Verdict::Forged);
  });
}

void measure_handshakes(SealingCost& cost, const crypto::FillRandom& fill_random) {
  const std::array<std::byte, 22> address{};
  const crypto::KeyPair server = crypto::key_pair(fill_random);
  const double enough = 1e12;
  secure::HandshakeResponder responder(
      {.key = server, .cookies_per_second = enough, .cookie_burst = enough}, fill_random);
  secure::HandshakeInitiator initiator({.own = crypto::key_pair(fill_random)}, fill_random);
  const auto hello = *initiator.next_datagram(0);
  cost.cookie_us = median_us(datagrams_per_batch, [&](std::size_t) {
    JOSTLE_ASSERT(responder.answer_hello(hello, address, 0).has_value());
  });
  initiator.take(*responder.answer_hello(hello, address, 0), 0);
  const auto proof = *initiator.next_datagram(0);
  cost.exchange_us = median_us(exchanges_per_batch, [&](std::size_t) {
    const auto auth = responder.check_cookie(proof, address, 0);
    auto candidate = responder.read(*auth);
    JOSTLE_ASSERT(responder.answer(*candidate, *auth, {}).has_value());
  });
  const crypto::Ed25519Seed issuer = crypto::random_secret<32>(fill_random);
  const secure::TokenRegistry book(crypto::verify_key(issuer), server.shown);
  const auto token = secure::encode_token({.server = server.shown, .not_after_s = 1}, issuer);
  cost.token_us = median_us(exchanges_per_batch, [&](std::size_t) {
    JOSTLE_ASSERT(book.check(token, {}, 0) == secure::Admission::Accepted);
  });
}

}  // namespace

SealingCost measure_sealing() {
  net::SystemIo io;
  const auto fill_random = [&io](std::span<std::byte> bytes) { io.fill_random(bytes); };
  SealingCost cost;
  measure_datagrams(cost, fill_random);
  measure_handshakes(cost, fill_random);
  return cost;
}

}  // namespace jostle::load
