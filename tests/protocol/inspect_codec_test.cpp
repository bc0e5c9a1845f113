#include "protocol/inspect_codec.h"

#include "protocol/limits.h"
#include "protocol/visuals_codec.h"
#include "shared/base/random.h"
#include "tests/protocol/flipped_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace jostle::protocol {
namespace {

state::DebugDrawFrame some_debug_draw(std::size_t items, double extent) {
  base::Random random(4);
  const auto draw = [&] { return static_cast<double>(random.between(-1, 1)) * extent; };
  state::DebugDrawFrame debug_draw{{77}, {}, 5};
  for (std::size_t i = 0; i < items; ++i) {
    debug_draw.items.push_back(
        {{draw(), draw(), draw()},
         {draw(), draw(), draw()},
         static_cast<state::DebugDrawKind>(i % state::debug_draw_kind_count)});
  }
  return debug_draw;
}

double distance(const math::Position& a, const math::Position& b) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

TEST(InspectCodec, RoundTripsADebugDrawWithinAMillimetre) {
  const state::DebugDrawFrame debug_draw = some_debug_draw(500, 30);
  const auto messages = encode_debug_draw(debug_draw, 3);
  EXPECT_GT(messages.size(), 5U);
  std::size_t next = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_LE(messages[i].size(), max_state_message_bytes);
    EXPECT_EQ(kind_of_state_message(messages[i]), StateMessage::DebugDraw);
    const auto part = decode_debug_draw(messages[i]);
    ASSERT_TRUE(part.has_value());
    EXPECT_EQ(part->world_revision, 3U);
    EXPECT_EQ(part->part, i);
    EXPECT_EQ(part->parts, messages.size());
    EXPECT_EQ(part->debug_draw.tick, debug_draw.tick);
    EXPECT_EQ(part->debug_draw.left_out, 5U);
    for (const state::DebugDrawItem& item : part->debug_draw.items) {
      ASSERT_LT(next, debug_draw.items.size());
      EXPECT_EQ(item.kind, debug_draw.items[next].kind);
      EXPECT_LE(distance(item.from, debug_draw.items[next].from), 0.5 / 512);
      EXPECT_LE(distance(item.to, debug_draw.items[next].to), 0.5 / 512);
      ++next;
    }
  }
  EXPECT_EQ(next, debug_draw.items.size());
}

TEST(InspectCodec, EncodesTheLargestAndTheEmptyDebugDraw) {
  EXPECT_EQ(encode_debug_draw(some_debug_draw(max_debug_draw_items, 1e5), 1).size(),
            max_debug_draw_parts);
  const auto none = encode_debug_draw({{9}, {}, 0}, 1);
  ASSERT_EQ(none.size(), 1U);
  EXPECT_TRUE(decode_debug_draw(none[0])->debug_draw.items.empty());
}

TEST(InspectCodec, LeavesOutItemsThatAreTooFarAway) {
  state::DebugDrawFrame debug_draw = some_debug_draw(3, 10);
  debug_draw.items[1].to.x = 4.1e6;
  const auto part = decode_debug_draw(encode_debug_draw(debug_draw, 1)[0]);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->debug_draw.items.size(), 2U);
  EXPECT_EQ(part->debug_draw.left_out, 6U);
}

state::ServerStatistics some_statistics() {
  state::ServerStatistics statistics;
  statistics.tick = {900};
  statistics.tick_ms = 3.5f;
  statistics.longest_tick_ms = 8;
  float ms = 0.25f;
  for (float& of_phase : statistics.phase_ms)
    of_phase = ms += 1;
  for (float& of_stage : statistics.stage_ms)
    of_stage = ms += 1;
  statistics.bytes_per_second = 1.5e6f;
  std::uint32_t count = 3;
  for (std::uint32_t& counted : statistics.counts)
    counted = count *= 5;
  return statistics;
}

TEST(InspectCodec, RoundTripsStatistics) {
  const auto bytes = encode_statistics(some_statistics());
  EXPECT_EQ(kind_of_state_message(bytes), StateMessage::Statistics);
  const auto back = decode_statistics(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, some_statistics());
}

TEST(InspectCodec, RoundTripsABodyReport) {
  const state::BodyReport report{{900}, {7}, 2.5f, 4, 12};
  const auto bytes = encode_body_report(report);
  EXPECT_EQ(kind_of_state_message(bytes), StateMessage::BodyReport);
  const auto back = decode_body_report(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, report);
}

/// Returns true if all values of the message are within their limits.
bool is_sound(const DebugDrawPart& part) {
  return part.part < part.parts && part.parts <= max_debug_draw_parts &&
         std::ranges::all_of(part.debug_draw.items, [](const state::DebugDrawItem& item) {
           return static_cast<std::uint8_t>(item.kind) < state::debug_draw_kind_count &&
                  distance(item.from, {}) <= max_position && distance(item.to, {}) <= max_position;
         });
}

TEST(InspectCodec, RejectsEveryTruncation) {
  const auto debug_draw = encode_debug_draw(some_debug_draw(4, 2), 1)[0];
  const auto statistics = encode_statistics(some_statistics());
  const auto report = encode_body_report({{900}, {7}, 2.5f, 4, 12});
  for (std::size_t size = 0; size < report.size(); ++size)
    EXPECT_FALSE(decode_body_report(std::span(report).first(size)).has_value()) << size;
  for (std::size_t size = 0; size < debug_draw.size(); ++size)
    EXPECT_FALSE(decode_debug_draw(std::span(debug_draw).first(size)).has_value()) << size;
  for (std::size_t size = 0; size < statistics.size(); ++size)
    EXPECT_FALSE(decode_statistics(std::span(statistics).first(size)).has_value()) << size;
}

TEST(InspectCodec, ReencodesADebugDrawThatItAcceptsWithAFlippedBit) {
  const FlippedBits outcome = decode_with_flipped_bits(
      encode_debug_draw(some_debug_draw(4, 2), 1)[0], decode_debug_draw,
      [](const DebugDrawPart& part) {
        EXPECT_TRUE(is_sound(part));
        return encode_debug_draw(part.debug_draw, part.world_revision)[0];
      },
      // A re-encoded frame is a single part, so the part numbers are not compared. A flipped sign
      // of the corner moves all items more than 4,000 km away, where the encoder leaves them out.
      [](const DebugDrawPart& after, const DebugDrawPart& before) {
        state::DebugDrawFrame expected = before.debug_draw;
        std::erase_if(expected.items, [](const state::DebugDrawItem& item) {
          return std::max(distance(item.from, {}), distance(item.to, {})) > 4e6;
        });
        expected.left_out +=
            static_cast<std::uint32_t>(before.debug_draw.items.size() - expected.items.size());
        return after.debug_draw == expected && after.world_revision == before.world_revision;
      });
  EXPECT_GT(outcome.refused, 250U);
  EXPECT_LT(outcome.ignored, 60U) << "padding, and tables of FlatBuffers";
}

TEST(InspectCodec, ReencodesStatisticsThatItAcceptsWithAFlippedBit) {
  const FlippedBits outcome = decode_with_flipped_bits(encode_statistics(some_statistics()),
                                                       decode_statistics, encode_statistics);
  EXPECT_GT(outcome.refused, 250U);
  EXPECT_LT(outcome.ignored, 60U);
}

TEST(InspectCodec, ReencodesABodyReportThatItAcceptsWithAFlippedBit) {
  const FlippedBits outcome = decode_with_flipped_bits(
      encode_body_report({{900}, {7}, 2.5f, 4, 12}), decode_body_report, encode_body_report);
  EXPECT_GT(outcome.refused, 100U);
  EXPECT_LT(outcome.ignored, 60U);
}

TEST(InspectCodec, RejectsMessagesAboveTheSizeLimit) {
  EXPECT_FALSE(decode_debug_draw(std::vector<std::byte>(max_state_message_bytes + 1)).has_value());
  EXPECT_FALSE(decode_statistics(std::vector<std::byte>(max_state_message_bytes + 1)).has_value());
  EXPECT_FALSE(decode_body_report(std::vector<std::byte>(max_state_message_bytes + 1)).has_value());
}

}  // namespace
}  // namespace jostle::protocol
