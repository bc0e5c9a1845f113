#include "protocol/inspect_codec.h"

#include "protocol/detail/identifiers.h"
#include "protocol/detail/message_bytes.h"
#include "protocol/detail/offset_box.h"
#include "protocol/detail/verified_root.h"
#include "protocol/limits.h"
#include "protocol/schema/inspect_generated.h"
#include "shared/base/assert.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cmath>

namespace jostle::protocol {
namespace {

using detail::OffsetBox;
using state::DebugDrawItem;

/// Size of a debug draw message without items: FlatBuffers' overhead and DebugDrawHead.
constexpr std::size_t debug_draw_frame_bytes = 84;
constexpr std::size_t points_per_item = 6;  // coordinates per item: two points of three
constexpr std::size_t item_bytes = sizeof(std::uint8_t) + points_per_item * sizeof(std::uint16_t);
constexpr std::size_t items_per_part =
    (max_state_message_bytes - debug_draw_frame_bytes) / item_bytes;

/// Number of entries of `figures` in a Statistics message: mean and longest tick, phases, stages,
/// bytes per second.
constexpr std::size_t figure_count = 2 + state::server_phase_count + state::step_stage_count + 1;

std::vector<std::byte> encode_part(std::span<const DebugDrawItem> items,
                                   const DebugDrawPart& head) {
  OffsetBox box;
  for (const DebugDrawItem& item : items) {
    box.add(item.from);
    box.add(item.to);
  }
  box.close();
  std::vector<std::uint8_t> kinds;
  std::vector<std::uint16_t> points;
  for (const DebugDrawItem& item : items) {
    kinds.push_back(static_cast<std::uint8_t>(item.kind));
    for (const math::Position& end : {item.from, item.to}) {
      const auto offsets = box.offsets_of(end);
      points.insert(points.end(), offsets.begin(), offsets.end());
    }
  }
  const auto corner = box.corner();
  const wire::DebugDrawHead wire_head(head.debug_draw.tick.number, head.world_revision,
                                      head.debug_draw.left_out, corner[0], corner[1], corner[2],
                                      head.part, head.parts, box.shift());
  flatbuffers::FlatBufferBuilder builder(max_state_message_bytes);
  const auto wire_kinds = builder.CreateVector(kinds);
  const auto wire_points = builder.CreateVector(points);
  builder.Finish(wire::CreateDebugDraw(builder, &wire_head, wire_kinds, wire_points),
                 detail::debug_draw_identifier);
  JOSTLE_ASSERT(builder.GetSize() <= max_state_message_bytes);
  return detail::to_bytes(builder);
}

bool is_in_reach(const math::Position& p) {
  return std::abs(p.x) <= max_position && std::abs(p.y) <= max_position &&
         std::abs(p.z) <= max_position;
}

bool is_figure(float figure) {
  return std::isfinite(figure) && figure >= 0.0f;
}

}  // namespace

const std::size_t max_debug_draw_items = max_debug_draw_parts * items_per_part;

std::vector<std::vector<std::byte>> encode_debug_draw(const state::DebugDrawFrame& debug_draw,
                                                      std::uint32_t world_revision) {
  JOSTLE_ASSERT(debug_draw.items.size() <= max_debug_draw_items);
  std::vector<DebugDrawItem> items;
  for (const DebugDrawItem& item : debug_draw.items)
    if (OffsetBox::can_encode(item.from) && OffsetBox::can_encode(item.to)) items.push_back(item);
  const std::size_t parts =
      std::max<std::size_t>((items.size() + items_per_part - 1) / items_per_part, 1);
  DebugDrawPart head;
  head.world_revision = world_revision;
  head.parts = static_cast<std::uint8_t>(parts);
  head.debug_draw.tick = debug_draw.tick;
  head.debug_draw.left_out =
      debug_draw.left_out + static_cast<std::uint32_t>(debug_draw.items.size() - items.size());
  std::vector<std::vector<std::byte>> messages;
  for (std::size_t part = 0; part < parts; ++part) {
    head.part = static_cast<std::uint8_t>(part);
    const auto rest = std::span(items).subspan(part * items_per_part);
    messages.push_back(encode_part(rest.first(std::min(rest.size(), items_per_part)), head));
  }
  return messages;
}

base::Result<DebugDrawPart, DecodeError> decode_debug_draw(std::span<const std::byte> bytes) {
  if (bytes.size() > max_state_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source =
      detail::verified_root<wire::DebugDraw>(aligned, bytes.size(), detail::debug_draw_identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->head() == nullptr || source->kinds() == nullptr || source->points() == nullptr ||
      source->points()->size() != points_per_item * source->kinds()->size())
    return DecodeError::Malformed;
  const wire::DebugDrawHead& head = *source->head();
  if (head.parts() < 1 || head.part() >= head.parts() || head.parts() > max_debug_draw_parts ||
      head.shift() > OffsetBox::max_shift || source->kinds()->size() > items_per_part)
    return DecodeError::OutOfRange;
  DebugDrawPart part{head.world_revision(), head.part(), head.parts(), {}};
  part.debug_draw.tick = {head.tick()};
  part.debug_draw.left_out = head.left_out();
  const OffsetBox box({head.x(), head.y(), head.z()}, head.shift());
  const auto point = [&](std::size_t first) {
    const auto at = static_cast<flatbuffers::uoffset_t>(first);
    const auto& points = *source->points();
    return box.at(points.Get(at), points.Get(at + 1), points.Get(at + 2));
  };
  for (std::size_t i = 0; i < source->kinds()->size(); ++i) {
    const std::uint8_t kind = source->kinds()->Get(static_cast<flatbuffers::uoffset_t>(i));
    if (kind >= state::debug_draw_kind_count) return DecodeError::OutOfRange;
    const DebugDrawItem item{point(points_per_item * i), point(points_per_item * i + 3),
                             static_cast<state::DebugDrawKind>(kind)};
    if (!is_in_reach(item.from) || !is_in_reach(item.to)) return DecodeError::OutOfRange;
    part.debug_draw.items.push_back(item);
  }
  return part;
}

std::vector<std::byte> encode_statistics(const state::ServerStatistics& statistics) {
  std::vector<float> figures{statistics.tick_ms, statistics.longest_tick_ms};
  figures.insert(figures.end(), statistics.phase_ms.begin(), statistics.phase_ms.end());
  figures.insert(figures.end(), statistics.stage_ms.begin(), statistics.stage_ms.end());
  figures.push_back(statistics.bytes_per_second);
  JOSTLE_ASSERT(figures.size() == figure_count && std::ranges::all_of(figures, is_figure));
  flatbuffers::FlatBufferBuilder builder(max_state_message_bytes);
  const auto wire_figures = builder.CreateVector(figures);
  const auto wire_counts = builder.CreateVector(statistics.counts.data(), statistics.counts.size());
  builder.Finish(wire::CreateStatistics(builder, statistics.tick.number, wire_figures, wire_counts),
                 detail::statistics_identifier);
  return detail::to_bytes(builder);
}

base::Result<state::ServerStatistics, DecodeError> decode_statistics(
    std::span<const std::byte> bytes) {
  if (bytes.size() > max_state_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source =
      detail::verified_root<wire::Statistics>(aligned, bytes.size(), detail::statistics_identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->figures() == nullptr || source->counts() == nullptr ||
      source->figures()->size() != figure_count ||
      source->counts()->size() != state::server_count_count)
    return DecodeError::Malformed;
  const auto& figures = *source->figures();
  if (!std::all_of(figures.begin(), figures.end(), is_figure)) return DecodeError::OutOfRange;
  flatbuffers::uoffset_t next = 0;
  state::ServerStatistics statistics;
  statistics.tick = {source->tick()};
  statistics.tick_ms = figures.Get(next++);
  statistics.longest_tick_ms = figures.Get(next++);
  for (float& of_phase : statistics.phase_ms)
    of_phase = figures.Get(next++);
  for (float& of_stage : statistics.stage_ms)
    of_stage = figures.Get(next++);
  statistics.bytes_per_second = figures.Get(next++);
  std::copy(source->counts()->begin(), source->counts()->end(), statistics.counts.begin());
  return statistics;
}

std::vector<std::byte> encode_body_report(const state::BodyReport& report) {
  JOSTLE_ASSERT(is_figure(report.mass) && !report.body.is_null());
  flatbuffers::FlatBufferBuilder builder(128);
  const wire::BodyReport source(report.tick.number, report.body.value, report.mass,
                                report.contact_points, report.island_bodies);
  builder.Finish(wire::CreateBodyReportMessage(builder, &source), detail::report_identifier);
  return detail::to_bytes(builder);
}

base::Result<state::BodyReport, DecodeError> decode_body_report(std::span<const std::byte> bytes) {
  if (bytes.size() > max_state_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* root = detail::verified_root<wire::BodyReportMessage>(aligned, bytes.size(),
                                                                    detail::report_identifier);
  if (root == nullptr) return DecodeError::Malformed;
  const auto* source = root->report();
  if (source == nullptr) return DecodeError::Malformed;
  if (source->body() == 0 || !is_figure(source->mass())) return DecodeError::OutOfRange;
  return state::BodyReport{{source->tick()},
                           {source->body()},
                           source->mass(),
                           source->contact_points(),
                           source->island_bodies()};
}

}  // namespace jostle::protocol
