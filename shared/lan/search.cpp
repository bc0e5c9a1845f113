#include "shared/lan/search.h"

#include "shared/base/bytes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jostle::lan {
namespace {

constexpr std::int64_t question_interval_us = 1'000'000;
/// Number of recent requests whose answers are accepted. A server that leaves this number of
/// requests unanswered is removed from the list.
constexpr std::size_t questions_kept = 3;
/// Time without an answer after which a server is removed from the list.
constexpr std::int64_t silence_us = 3'500'000;
constexpr int max_answers_at_once = 256;

/// Returns the rank of a path to a server; the path with the lowest rank is used.
int distance_of(net::Ip ip) {
  return ip.is_loopback() ? 0 : ip.is_v4() ? 1 : 2;
}

}  // namespace

DiscoveryClient::DiscoveryClient(net::Io& io, std::unique_ptr<net::DatagramSocket> socket,
                                 Everybody everybody)
    : io_(io), socket_(std::move(socket)), everybody_(std::move(everybody)) {}

void DiscoveryClient::update() {
  const std::int64_t now_us = io_.now_us();
  // one byte more than the longest answer, so that longer datagrams are detected
  std::array<std::byte, max_answer_bytes + 1> buffer{};
  for (int i = 0; i < max_answers_at_once; ++i) {
    const auto received = socket_->receive(buffer);
    if (!received) break;
    const auto answer = decode_answer(std::span(buffer).first(received->bytes));
    if (answer && !received->is_truncated) {
      take(*answer, received->from.ip, now_us);
    } else {
      ++ignored_;
    }
  }
  std::erase_if(servers_, [&](const DiscoveredServer& server) {
    return now_us - server.heard_us > silence_us;
  });
  if (questions_.empty() || now_us - questions_.back().sent_us >= question_interval_us) ask(now_us);
}

void DiscoveryClient::ask(std::int64_t now_us) {
  std::array<std::byte, 8> random{};
  io_.fill_random(random);
  questions_.push_back({.nonce = base::ByteReader(random).u64(), .sent_us = now_us});
  if (questions_.size() > questions_kept) questions_.erase(questions_.begin());
  const auto bytes = encode(DiscoveryRequest{questions_.back().nonce});
  // Some addresses may be unreachable; continue with the others.
  for (const net::Address to : everybody_())
    (void)socket_->send(to, bytes);
}

void DiscoveryClient::take(const DiscoveryResponse& answer, net::Ip from, std::int64_t now_us) {
  const auto question = std::ranges::find(questions_, answer.nonce, &Question::nonce);
  if (question == questions_.end()) {
    ++ignored_;
    return;
  }
  auto known = std::ranges::find(servers_, answer.instance, &DiscoveredServer::instance);
  if (known == servers_.end()) {
    if (servers_.size() == most_servers) {
      ++ignored_;
      return;
    }
    servers_.push_back(
        {.address = {from, answer.facts.port}, .facts = answer.facts, .instance = answer.instance});
    known = std::prev(servers_.end());
  }
  const bool is_stale = now_us - known->heard_us > 2 * question_interval_us;
  if (!is_stale && distance_of(from) > distance_of(known->address.ip)) return;
  known->address = {from, answer.facts.port};
  known->facts = answer.facts;
  known->round_trip_ms = static_cast<double>(now_us - question->sent_us) * 1e-3;
  known->heard_us = now_us;
}

}  // namespace jostle::lan
