#include "client/uplink_pacer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>

namespace jostle::client {
namespace {

/// Result of a run over a link with a queue of at most 1 s.
struct LinkRun {
  double packets_per_second = 0;
  double longest_queue_ms = 0;  // after the first 3 s
  double longest_at_start_ms = 0;
};

/// Sends a packet of `bytes` every 1/60 s, as far as the pacer allows, over a link of
/// `bytes_per_second`, with a report of the delay of each packet.
LinkRun run_link(double bytes_per_second, double bytes, double seconds) {
  UplinkPacer pacer;
  double busy_until_us = 0;
  int packets = 0;
  LinkRun result;
  struct Packet {
    std::int64_t sent_us = 0;
    double delay_us = 0;
    std::int64_t reported_us = 0;
  };
  std::deque<Packet> under_way;
  std::int64_t next_packet_us = 0;
  for (std::int64_t now_us = 0; now_us < static_cast<std::int64_t>(seconds * 1e6);
       now_us += 1'000) {
    const double queue_us = std::max(busy_until_us - static_cast<double>(now_us), 0.0);
    if (now_us > 3'000'000)
      result.longest_queue_ms = std::max(result.longest_queue_ms, queue_us * 1e-3);
    else
      result.longest_at_start_ms = std::max(result.longest_at_start_ms, queue_us * 1e-3);
    // Reports arrive 25 ms after their packet, and packets every 1/60 s at most.
    while (!under_way.empty() && now_us >= under_way.front().reported_us) {
      pacer.add_delay(now_us, under_way.front().sent_us, under_way.front().delay_us, 50'000);
      under_way.pop_front();
    }
    if (now_us < next_packet_us || !pacer.may_send(now_us)) continue;
    next_packet_us = now_us + 16'667;
    pacer.set_packet_bytes(static_cast<std::size_t>(bytes));
    pacer.note_sent(now_us, static_cast<std::size_t>(bytes));
    ++packets;
    busy_until_us =
        std::max(busy_until_us, static_cast<double>(now_us)) + bytes / bytes_per_second * 1e6;
    under_way.push_back({now_us, busy_until_us - static_cast<double>(now_us),
                         static_cast<std::int64_t>(busy_until_us) + 25'000});
  }
  result.packets_per_second = packets / seconds;
  return result;
}

TEST(UplinkPacer, SendsEveryPacketOverAWideLink) {
  EXPECT_NEAR(run_link(100'000, 130, 20).packets_per_second, 60, 2);
}

TEST(UplinkPacer, StartsWithoutFillingTheQueueOfANarrowLink) {
  EXPECT_LT(run_link(8'000, 130, 20).longest_at_start_ms, 100);
  EXPECT_LT(run_link(6'000, 130, 20).longest_at_start_ms, 150);
  EXPECT_LT(run_link(4'000, 130, 20).longest_at_start_ms, 250) << "it would be 1 s";
}

TEST(UplinkPacer, ReachesTheFullRateOfAWideLinkWithinASecond) {
  EXPECT_GT(run_link(100'000, 130, 1).packets_per_second, 45);
}

TEST(UplinkPacer, SendsAnUrgentPacketAtOnceAtTheStart) {
  UplinkPacer pacer;
  pacer.set_packet_bytes(150);
  EXPECT_FALSE(pacer.may_send(1'000));
  EXPECT_TRUE(pacer.may_send(2'000, true));
}

TEST(UplinkPacer, KeepsTheQueueOfANarrowLinkShort) {
  for (const double rate : {8'000.0, 6'000.0, 4'000.0, 2'500.0}) {
    SCOPED_TRACE(rate);
    const LinkRun narrow = run_link(rate, 130, 60);
    EXPECT_LT(narrow.longest_queue_ms, 110 + 130 / rate * 1e3) << "with its own transmission";
    EXPECT_GT(narrow.packets_per_second, std::min(60.0, 0.6 * rate / 130));
  }
}

TEST(UplinkPacer, GivesUpLoweringTheRateOnALongerRoute) {
  UplinkPacer pacer;
  std::int64_t now_us = 0;
  for (int i = 0; i < 900; ++i) {
    now_us += 16'667;
    if (!pacer.may_send(now_us)) continue;
    pacer.set_packet_bytes(130);
    pacer.note_sent(now_us, 130);
    pacer.add_delay(now_us, now_us, i < 100 ? 1'000 : 300'000, 50'000);
  }
  EXPECT_FALSE(pacer.is_limited());
}

TEST(UplinkPacer, IgnoresJitterAndBursts) {
  UplinkPacer pacer;
  for (int i = 0; i < 400; ++i) {
    pacer.note_sent(i * 16'667, 130);
    pacer.add_delay(i * 16'667, i * 16'667, i % 4 == 0 ? 5'000 : 60'000, 50'000);
  }
  EXPECT_FALSE(pacer.is_limited());
}

}  // namespace
}  // namespace jostle::client
