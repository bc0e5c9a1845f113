#include "shared/net/handshake_queue.h"

#include <algorithm>
#include <map>
#include <utility>

namespace jostle::net {

Ip network_prefix_of(Ip ip) {
  constexpr std::uint32_t first_24_bits = 0xFFFFFF00U;
  if (ip.is_v4()) return ip.v4() & first_24_bits;
  constexpr std::size_t first_48_bits = 6;
  Ip::Bytes bytes = ip.bytes();
  std::fill(bytes.begin() + first_48_bits, bytes.end(), std::uint8_t{0});
  return Ip(bytes);
}

bool HandshakeQueue::ask_again(const Digest& digest, std::int64_t now_us) {
  const auto guest = std::find_if(guests_.begin(), guests_.end(),
                                  [&](const Entry& one) { return one.digest == digest; });
  if (guest == guests_.end()) return false;
  guest->asked_us = now_us;
  return true;
}

bool HandshakeQueue::add(Entry guest) {
  if (guests_.size() >= seats) {
    std::map<Ip, std::size_t> count;
    for (const Entry& one : guests_)
      ++count[network_prefix_of(one.from.ip)];
    const auto most =
        std::max_element(count.begin(), count.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most->second <= count[network_prefix_of(guest.from.ip)] + 1) return false;
    const auto newest_of_it = std::find_if(guests_.rbegin(), guests_.rend(), [&](const Entry& one) {
      return network_prefix_of(one.from.ip) == most->first;
    });
    guests_.erase(std::next(newest_of_it).base());
  }
  guests_.push_back(std::move(guest));
  return true;
}

void HandshakeQueue::forget_those_gone(std::int64_t now_us) {
  std::erase_if(guests_, [&](const Entry& one) { return now_us - one.asked_us >= patience_us; });
}

std::optional<HandshakeQueue::Entry> HandshakeQueue::take_next(
    const std::function<std::size_t(Ip)>& places) {
  if (guests_.empty()) return std::nullopt;
  const auto next =
      std::min_element(guests_.begin(), guests_.end(), [&](const Entry& a, const Entry& b) {
        return places(network_prefix_of(a.from.ip)) < places(network_prefix_of(b.from.ip));
      });
  Entry guest = std::move(*next);
  guests_.erase(next);
  return guest;
}

}  // namespace jostle::net
