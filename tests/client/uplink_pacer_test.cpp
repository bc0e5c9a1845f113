#include "client/uplink_pacer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::client {
namespace {

/// Result of a run over a link with a queue of at most 1 s.
struct LinkRun {
  double packets_per_second = 0;
  double longest_queue_ms = 0;  // after the first 3 s
};

/// Sends a packet of `bytes` every 1/60 s, as far as the pacer allows, over a link of
/// `bytes_per_second`, with a report of the delay every 20 ms.
LinkRun run_link(double bytes_per_second, double bytes, double seconds) {
  UplinkPacer pacer;
  double busy_until_us = 0;
  int packets = 0;
  LinkRun result;
  std::int64_t next_packet_us = 0;
  for (std::int64_t now_us = 0; now_us < static_cast<std::int64_t>(seconds * 1e6);
       now_us += 1'000) {
    const double queue_us = std::max(busy_until_us - static_cast<double>(now_us), 0.0);
    if (now_us > 3'000'000)
      result.longest_queue_ms = std::max(result.longest_queue_ms, queue_us * 1e-3);
    if (now_us % 20'000 == 0) pacer.add_delay(now_us, queue_us, 50'000);
    if (now_us < next_packet_us || !pacer.may_send(now_us)) continue;
    next_packet_us = now_us + 16'667;
    pacer.note_sent(now_us, static_cast<std::size_t>(bytes));
    ++packets;
    busy_until_us =
        std::max(busy_until_us, static_cast<double>(now_us)) + bytes / bytes_per_second * 1e6;
  }
  result.packets_per_second = packets / seconds;
  return result;
}

TEST(UplinkPacer, SendsEveryPacketOverAWideLink) {
  EXPECT_NEAR(run_link(100'000, 130, 20).packets_per_second, 60, 2);
}

TEST(UplinkPacer, KeepsTheQueueOfANarrowLinkShort) {
  for (const double rate : {8'000.0, 6'000.0, 4'000.0, 2'500.0}) {
    SCOPED_TRACE(rate);
    const LinkRun narrow = run_link(rate, 130, 60);
    EXPECT_LT(narrow.longest_queue_ms, 100 + 130 / rate * 1e3) << "with its own transmission";
    EXPECT_GT(narrow.packets_per_second, std::min(60.0, 0.6 * rate / 130));
  }
}

TEST(UplinkPacer, GivesUpLoweringTheRateOnALongerRoute) {
  UplinkPacer pacer;
  std::int64_t now_us = 0;
  for (int i = 0; i < 900; ++i) {
    now_us += 16'667;
    if (pacer.may_send(now_us)) pacer.note_sent(now_us, 130);
    if (i % 2 == 0) pacer.add_delay(now_us, i < 100 ? 1'000 : 300'000, 50'000);
  }
  EXPECT_FALSE(pacer.is_limited());
}

TEST(UplinkPacer, IgnoresJitterAndBursts) {
  UplinkPacer pacer;
  for (int i = 0; i < 400; ++i) {
    pacer.note_sent(i * 16'667, 130);
    pacer.add_delay(i * 16'667, i % 4 == 0 ? 5'000 : 60'000, 50'000);
  }
  EXPECT_FALSE(pacer.is_limited());
}

}  // namespace
}  // namespace jostle::client
