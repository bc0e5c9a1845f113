#include "protocol/visuals_codec.h"

#include "protocol/detail/identifiers.h"
#include "protocol/detail/message_bytes.h"
#include "protocol/detail/offset_box.h"
#include "protocol/detail/verified_root.h"
#include "protocol/limits.h"
#include "protocol/schema/visuals_generated.h"
#include "protocol/text.h"
#include "shared/base/assert.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

namespace jostle::protocol {
namespace {

using detail::OffsetBox;
using math::Position;
using math::Vec3;

constexpr float velocity_steps = 127;

/// Size of a particle message without groups: FlatBuffers' overhead and ParticleHead.
constexpr std::size_t particle_frame_bytes = 100;
constexpr std::size_t group_bytes = sizeof(wire::ParticleGroup);
constexpr std::size_t particle_bytes = 3 * sizeof(std::uint16_t) + 3 * sizeof(std::int8_t);
constexpr std::size_t most_groups =
    (max_state_message_bytes - particle_frame_bytes) / (group_bytes + particle_bytes);
static_assert(most_groups >= 16);

bool is_within(float x, float limit) {
  return std::abs(x) <= limit;  // false for NaN
}
bool is_within(Vec3 v, float limit) {
  return is_within(v.x, limit) && is_within(v.y, limit) && is_within(v.z, limit);
}

/// Returns true if a group is within the limits that encoder and decoder share.
bool is_valid(const state::ParticleGroup& group) {
  return is_within(group.radius, max_particle_radius) && group.radius >= 0.0f &&
         is_within(group.acceleration, max_particle_acceleration) && !group.positions.empty();
}

/// Particles of one message.
struct Draft {
  std::vector<state::ParticleGroup> groups;
  std::size_t bytes = particle_frame_bytes;
};

std::vector<Draft> cut(const state::ParticleFrame& frame) {
  std::vector<Draft> drafts(1);
  for (const state::ParticleGroup& group : frame.groups) {
    JOSTLE_ASSERT(is_valid(group) && group.positions.size() == group.velocities.size());
    bool is_begun = false;
    for (std::size_t i = 0; i < group.positions.size(); ++i) {
      if (!OffsetBox::can_encode(group.positions[i])) continue;
      const std::size_t more = particle_bytes + (is_begun ? 0 : group_bytes);
      if (drafts.back().bytes + more > max_state_message_bytes) {
        drafts.emplace_back();
        is_begun = false;
      }
      Draft& draft = drafts.back();
      if (!is_begun) {
        draft.groups.push_back({group.colour, group.radius, group.acceleration, {}, {}});
        draft.bytes += group_bytes;
        is_begun = true;
      }
      draft.groups.back().positions.push_back(group.positions[i]);
      draft.groups.back().velocities.push_back(group.velocities[i]);
      draft.bytes += particle_bytes;
    }
  }
  return drafts;
}

OffsetBox box_around(const Draft& draft) {
  OffsetBox box;
  for (const state::ParticleGroup& group : draft.groups)
    for (const Position& p : group.positions)
      box.add(p);
  box.close();
  return box;
}

std::int8_t step_of(float v, float step) {
  const float steps = std::floor(v / step + 0.5f);
  return static_cast<std::int8_t>(math::clamp(steps, -velocity_steps, velocity_steps));
}

float velocity_step(const state::ParticleGroup& group) {
  float largest = 0;
  for (const Vec3 v : group.velocities) {
    const Vec3 size = abs_of(v);
    largest = math::max_of(largest, math::max_of(size.x, math::max_of(size.y, size.z)));
  }
  return math::min_of(largest / velocity_steps, max_particle_velocity_step);
}

std::vector<std::byte> encode(const Draft& draft, const state::ParticleFrame& frame,
                              std::size_t part, std::size_t parts) {
  const OffsetBox box = box_around(draft);
  std::vector<wire::ParticleGroup> groups;
  std::vector<std::uint16_t> positions;
  std::vector<std::int8_t> velocities;
  for (const state::ParticleGroup& group : draft.groups) {
    const float step = velocity_step(group);
    groups.emplace_back(group.radius, group.acceleration.x, group.acceleration.y,
                        group.acceleration.z, step,
                        static_cast<std::uint16_t>(group.positions.size()), group.colour.red,
                        group.colour.green, group.colour.blue);
    for (const Position& p : group.positions) {
      const auto offsets = box.offsets_of(p);
      positions.insert(positions.end(), offsets.begin(), offsets.end());
    }
    for (const Vec3 v : group.velocities) {
      for (const float component : {v.x, v.y, v.z})
        velocities.push_back(step > 0.0f ? step_of(component, step) : std::int8_t{0});
    }
  }
  flatbuffers::FlatBufferBuilder builder(max_state_message_bytes);
  const auto corner = box.corner();
  const wire::ParticleHead head(frame.tick.number, frame.world_revision, corner[0], corner[1],
                                corner[2], static_cast<std::uint8_t>(part),
                                static_cast<std::uint8_t>(parts), box.shift());
  const auto wire_groups = builder.CreateVectorOfStructs(groups);
  const auto wire_positions = builder.CreateVector(positions);
  const auto wire_velocities = builder.CreateVector(velocities);
  builder.Finish(
      wire::CreateParticles(builder, &head, wire_groups, wire_positions, wire_velocities),
      detail::particles_identifier);
  JOSTLE_ASSERT(builder.GetSize() <= max_state_message_bytes);
  return detail::to_bytes(builder);
}

/// Returns the particles of one group from the lists of its message; null if a value is out of
/// range.
std::optional<state::ParticleGroup> read_group(const wire::ParticleGroup& source,
                                               const wire::Particles& message, std::size_t first) {
  state::ParticleGroup group;
  group.colour = {source.red(), source.green(), source.blue()};
  group.radius = source.radius();
  group.acceleration = {source.acceleration_x(), source.acceleration_y(), source.acceleration_z()};
  const float step = source.velocity_step();
  if (!(step >= 0.0f && step <= max_particle_velocity_step)) return std::nullopt;
  const wire::ParticleHead& head = *message.head();
  const OffsetBox box({head.x(), head.y(), head.z()}, head.shift());
  for (std::size_t i = first; i < first + source.count(); ++i) {
    const auto at = static_cast<flatbuffers::uoffset_t>(3 * i);
    const Position position = box.at(message.positions()->Get(at), message.positions()->Get(at + 1),
                                     message.positions()->Get(at + 2));
    const auto component = [&](flatbuffers::uoffset_t k) {
      return static_cast<float>(message.velocities()->Get(k)) * step;
    };
    if (!(std::abs(position.x) <= max_position && std::abs(position.y) <= max_position &&
          std::abs(position.z) <= max_position))
      return std::nullopt;
    group.positions.push_back(position);
    group.velocities.push_back({component(at), component(at + 1), component(at + 2)});
  }
  if (!is_valid(group)) return std::nullopt;
  return group;
}

/// Returns true if a rope message is within the limits that encoder and decoder share.
bool is_valid(const state::Ropes& ropes) {
  if (ropes.ropes.size() > max_message_ropes || ropes.total > state::max_shown_ropes ||
      ropes.first + ropes.ropes.size() > ropes.total)
    return false;
  const auto limit = static_cast<float>(max_position);
  return std::all_of(ropes.ropes.begin(), ropes.ropes.end(), [&](const state::Rope& rope) {
    return is_within(rope.a.point, limit) && is_within(rope.b.point, limit) &&
           static_cast<std::uint8_t>(rope.kind) < state::rope_kind_count;
  });
}

}  // namespace

StateMessage kind_of_state_message(std::span<const std::byte> bytes) {
  constexpr std::size_t offset = 4, length = 4;
  const auto is = [&](const char* identifier) {
    return bytes.size() >= offset + length &&
           std::memcmp(bytes.data() + offset, identifier, length) == 0;
  };
  if (is(detail::particles_identifier)) return StateMessage::Particles;
  if (is(detail::labels_identifier)) return StateMessage::Labels;
  if (is(detail::values_identifier)) return StateMessage::Values;
  if (is(detail::ropes_identifier)) return StateMessage::Ropes;
  if (is(detail::frames_identifier)) return StateMessage::Frames;
  if (is(detail::debug_draw_identifier)) return StateMessage::DebugDraw;
  if (is(detail::statistics_identifier)) return StateMessage::Statistics;
  if (is(detail::report_identifier)) return StateMessage::BodyReport;
  return StateMessage::Snapshot;
}

std::vector<std::vector<std::byte>> encode_particles(const state::ParticleFrame& frame) {
  const std::vector<Draft> drafts = cut(frame);
  JOSTLE_ASSERT(drafts.size() <= max_particle_parts);
  std::vector<std::vector<std::byte>> parts;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    parts.push_back(encode(drafts[i], frame, i, drafts.size()));
  return parts;
}

base::Result<ParticlePart, DecodeError> decode_particles(std::span<const std::byte> bytes) {
  if (bytes.size() > max_state_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source =
      detail::verified_root<wire::Particles>(aligned, bytes.size(), detail::particles_identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->head() == nullptr || source->groups() == nullptr || source->positions() == nullptr ||
      source->velocities() == nullptr)
    return DecodeError::Malformed;
  const wire::ParticleHead& head = *source->head();
  if (head.parts() < 1 || head.part() >= head.parts() || head.parts() > max_particle_parts ||
      head.shift() > OffsetBox::max_shift || source->groups()->size() > most_groups)
    return DecodeError::OutOfRange;
  std::size_t count = 0;
  for (const wire::ParticleGroup* group : *source->groups())
    count += group->count();
  if (source->positions()->size() != 3 * count || source->velocities()->size() != 3 * count)
    return DecodeError::Malformed;

  ParticlePart part;
  part.tick = {head.tick()};
  part.world_revision = head.world_revision();
  part.part = head.part();
  part.parts = head.parts();
  std::size_t first = 0;
  for (const wire::ParticleGroup* group : *source->groups()) {
    auto read = read_group(*group, *source, first);
    if (!read) return DecodeError::OutOfRange;
    first += group->count();
    part.groups.push_back(std::move(*read));
  }
  return part;
}

namespace {

/// The limits of a message with labels.
struct LabelLimits {
  const char* identifier = nullptr;
  std::size_t lines = 0, name_bytes = 0, text_bytes = 0;
  std::uint8_t first_kind = 0, kind_end = 0;
};
constexpr LabelLimits label_limits{
    detail::labels_identifier, state::max_labels, max_label_name_bytes, 0, 0,
    state::label_kind_count};
constexpr LabelLimits value_limits{detail::values_identifier,   state::max_shown_values,
                                   state::max_value_name_bytes, state::max_value_text_bytes,
                                   state::label_kind_count,     state::shown_kind_count};

std::vector<std::byte> encode(const state::Labels& labels, const LabelLimits& limits) {
  JOSTLE_ASSERT(labels.lines.size() <= limits.lines);
  std::vector<wire::Label> lines;
  std::string names;
  for (const state::Label& line : labels.lines) {
    JOSTLE_ASSERT(std::isfinite(line.value));
    const std::string name = to_wire_text(line.name, limits.name_bytes);
    const std::string text =
        limits.text_bytes == 0 ? std::string() : to_wire_text(line.text, limits.text_bytes);
    lines.emplace_back(line.value, static_cast<std::uint8_t>(line.kind),
                       static_cast<std::uint8_t>(name.size()),
                       static_cast<std::uint8_t>(text.size()));
    names += name + text;
  }
  flatbuffers::FlatBufferBuilder builder(max_state_message_bytes);
  const auto wire_lines = builder.CreateVectorOfStructs(lines);
  const auto wire_names =
      builder.CreateVector(reinterpret_cast<const std::uint8_t*>(names.data()), names.size());
  builder.Finish(wire::CreateLabels(builder, labels.tick.number, labels.world_revision, wire_lines,
                                    wire_names),
                 limits.identifier);
  JOSTLE_ASSERT(builder.GetSize() <= max_state_message_bytes);
  return detail::to_bytes(builder);
}

base::Result<state::Labels, DecodeError> decode(std::span<const std::byte> bytes,
                                                const LabelLimits& limits) {
  if (bytes.size() > max_state_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source =
      detail::verified_root<wire::Labels>(aligned, bytes.size(), limits.identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->lines() == nullptr || source->names() == nullptr) return DecodeError::Malformed;
  if (source->lines()->size() > limits.lines) return DecodeError::OutOfRange;
  const std::string_view names(reinterpret_cast<const char*>(source->names()->data()),
                               source->names()->size());
  state::Labels labels;
  labels.tick = {source->tick()};
  labels.world_revision = source->world_revision();
  std::size_t first = 0;
  const auto take = [&](std::size_t length) {
    const std::string_view part = names.substr(first, length);
    first += part.size();
    return part;
  };
  for (const wire::Label* line : *source->lines()) {
    if (std::size_t{line->name_bytes()} + line->text_bytes() > names.size() - first)
      return DecodeError::Malformed;
    const std::string_view name = take(line->name_bytes()), text = take(line->text_bytes());
    if (!std::isfinite(line->value()) || line->kind() < limits.first_kind ||
        line->kind() >= limits.kind_end || !is_wire_text(name, limits.name_bytes) ||
        text.size() > limits.text_bytes ||
        (!text.empty() && !is_wire_text(text, limits.text_bytes)))
      return DecodeError::OutOfRange;
    labels.lines.push_back({std::string(name), static_cast<state::LabelKind>(line->kind()),
                            line->value(), std::string(text)});
  }
  if (first != names.size()) return DecodeError::Malformed;
  return labels;
}

}  // namespace

std::vector<std::byte> encode_labels(const state::Labels& labels) {
  return encode(labels, label_limits);
}

base::Result<state::Labels, DecodeError> decode_labels(std::span<const std::byte> bytes) {
  return decode(bytes, label_limits);
}

std::vector<std::byte> encode_values(const state::Labels& values) {
  return encode(values, value_limits);
}

base::Result<state::Labels, DecodeError> decode_values(std::span<const std::byte> bytes) {
  return decode(bytes, value_limits);
}

std::vector<std::byte> encode_ropes(const state::Ropes& ropes) {
  JOSTLE_ASSERT(is_valid(ropes));
  std::vector<wire::Rope> list;
  for (const state::Rope& rope : ropes.ropes) {
    const Vec3 a = rope.a.point, b = rope.b.point;
    list.emplace_back(a.x, a.y, a.z, b.x, b.y, b.z, rope.a.body.value, rope.b.body.value,
                      static_cast<std::uint8_t>(rope.kind));
  }
  flatbuffers::FlatBufferBuilder builder(max_state_message_bytes);
  const auto list_at = builder.CreateVectorOfStructs(list);
  builder.Finish(wire::CreateRopes(builder, ropes.tick.number, ropes.world_revision, ropes.first,
                                   ropes.total, list_at),
                 detail::ropes_identifier);
  JOSTLE_ASSERT(builder.GetSize() <= max_state_message_bytes);
  return detail::to_bytes(builder);
}

base::Result<state::Ropes, DecodeError> decode_ropes(std::span<const std::byte> bytes) {
  if (bytes.size() > max_state_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source =
      detail::verified_root<wire::Ropes>(aligned, bytes.size(), detail::ropes_identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->ropes() == nullptr) return DecodeError::Malformed;
  if (source->ropes()->size() > max_message_ropes) return DecodeError::OutOfRange;
  state::Ropes ropes{
      {source->tick()}, source->world_revision(), source->first(), source->total(), {}};
  for (const wire::Rope* rope : *source->ropes()) {
    ropes.ropes.push_back({{{rope->body_a()}, {rope->a_x(), rope->a_y(), rope->a_z()}},
                           {{rope->body_b()}, {rope->b_x(), rope->b_y(), rope->b_z()}},
                           static_cast<state::RopeKind>(rope->kind())});
  }
  if (!is_valid(ropes)) return DecodeError::OutOfRange;
  return ropes;
}

}  // namespace jostle::protocol
