#include "protocol/detail/checks.h"

#include "protocol/limits.h"
#include "shared/math/transform.h"
#include "shared/math/trig.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace jostle::protocol::detail {
namespace {

using Fault = std::optional<DecodeError>;

Fault check_within(const math::Vec3& v, float limit) {
  if (!math::is_finite(v)) return DecodeError::NotFinite;
  if (std::abs(v.x) > limit || std::abs(v.y) > limit || std::abs(v.z) > limit)
    return DecodeError::OutOfRange;
  return {};
}

Fault check_position(const math::Position& p) {
  if (!math::is_finite(p)) return DecodeError::NotFinite;
  if (std::abs(p.x) > max_position || std::abs(p.y) > max_position || std::abs(p.z) > max_position)
    return DecodeError::OutOfRange;
  return {};
}

Fault check_rotation(const math::Quat& q) {
  if (!math::is_finite(q)) return DecodeError::NotFinite;
  if (!(std::abs(math::dot(q, q) - 1.0f) <= unit_tolerance)) return DecodeError::OutOfRange;
  return {};
}

Fault check_action(const state::Action& action) {
  if (static_cast<std::uint8_t>(action.kind) >= state::action_kind_count)
    return DecodeError::OutOfRange;
  // The vector of a grab is a position, so it has another limit than the impulses and velocities of
  // other actions.
  const bool is_place = action.kind == state::ActionKind::Grab;
  if (const Fault fault = check_within(action.point, static_cast<float>(max_position)))
    return fault;
  return check_within(action.vector, is_place ? static_cast<float>(max_position) : max_impulse);
}

Fault check_size(float metres) {
  if (!std::isfinite(metres)) return DecodeError::NotFinite;
  if (!(metres > 0.0f) || metres > max_shape_size) return DecodeError::OutOfRange;
  return {};
}

Fault check_body(const state::BodyInfo& body) {
  if (body.id.is_null() || static_cast<std::uint8_t>(body.motion) >= state::motion_type_count ||
      body.shapes.size() > max_shapes_per_body)
    return DecodeError::OutOfRange;
  if (const Fault fault = check_position(body.pose.position)) return fault;
  if (const Fault fault = check_rotation(body.pose.rotation)) return fault;
  for (const state::BodyShape& shape : body.shapes) {
    if (const Fault fault = check(shape.shape)) return fault;
    if (const Fault fault = check_within(shape.local.offset, max_shape_size)) return fault;
    if (const Fault fault = check_rotation(shape.local.rotation)) return fault;
  }
  return {};
}

/// Visitor that checks the commands of a tick one by one, and their order: inputs come last, sorted
/// by player.
struct CommandOrder {
  state::PlayerId last_input;  // null before the first input

  Fault operator()(const state::JoinCommand& join) const { return check_early(join.player); }
  Fault operator()(const state::LeaveCommand& leave) const { return check_early(leave.player); }
  Fault operator()(const state::ControlCommand& control) const {
    if (!last_input.is_null()) return DecodeError::OutOfRange;
    return check(control);
  }
  Fault operator()(const state::InputCommand& command) {
    if (command.player <= last_input) return DecodeError::OutOfRange;
    last_input = command.player;
    return check(command.input);
  }

  Fault check_early(state::PlayerId player) const {
    if (player.is_null() || !last_input.is_null()) return DecodeError::OutOfRange;
    return {};
  }
};

}  // namespace

Fault check(const state::PlayerInput& input) {
  if (!std::isfinite(input.move_x) || !std::isfinite(input.move_z)) return DecodeError::NotFinite;
  const double x = static_cast<double>(input.move_x), z = static_cast<double>(input.move_z);
  constexpr double limit = static_cast<double>(max_move_length);
  if (x * x + z * z > limit * limit) return DecodeError::OutOfRange;
  if (input.actions.size() > state::max_actions_per_input ||
      input.custom.size() > state::max_custom_bytes)
    return DecodeError::OutOfRange;
  for (const state::Action& action : input.actions) {
    if (const Fault fault = check_action(action)) return fault;
  }
  return {};
}

Fault check(const SnapshotAck& ack) {
  if (ack.partial.size() > max_partial_acks) return DecodeError::OutOfRange;
  for (std::size_t i = 1; i < ack.partial.size(); ++i) {
    if (ack.partial[i].tick <= ack.partial[i - 1].tick) return DecodeError::OutOfRange;
  }
  return {};
}

Fault check(const InputPacket& packet) {
  if (packet.inputs.size() > max_inputs_per_packet) return DecodeError::OutOfRange;
  for (std::size_t i = 0; i < packet.inputs.size(); ++i) {
    if (i > 0 && packet.inputs[i].tick <= packet.inputs[i - 1].tick) return DecodeError::OutOfRange;
    if (const Fault fault = check(packet.inputs[i])) return fault;
  }
  return check(packet.ack);
}

Fault check(const state::ControlCommand& command) {
  switch (command.kind) {
    case state::ControlKind::Pause:
    case state::ControlKind::Resume:
    case state::ControlKind::Reset:
      return {};
    case state::ControlKind::Step:
      if (command.count > max_control_steps) return DecodeError::OutOfRange;
      return {};
    case state::ControlKind::Rate:
      if (command.count > max_rate_percent) return DecodeError::OutOfRange;
      return {};
    case state::ControlKind::Gravity:
      if (command.count > 1) return DecodeError::OutOfRange;
      return {};
  }
  return DecodeError::OutOfRange;
}

Fault check(const state::TickCommands& commands) {
  CommandOrder order;
  for (const state::Command& command : commands.commands) {
    if (const Fault fault = std::visit(order, command)) return fault;
  }
  return {};
}

Fault check(const Hello& hello) {
  if (hello.role != Role::Player && hello.role != Role::Spectator) return DecodeError::OutOfRange;
  if (static_cast<std::uint8_t>(hello.profile) >= profile_count) return DecodeError::OutOfRange;
  return {};
}

Fault check(const Welcome& welcome) {
  if (welcome.tick_rate_hz < state::min_tick_rate_hz ||
      welcome.tick_rate_hz > state::max_tick_rate_hz || welcome.snapshot_interval_ticks == 0 ||
      welcome.snapshot_interval_ticks > max_snapshot_interval_ticks)
    return DecodeError::OutOfRange;
  return {};
}

Fault check(const Reject& reject) {
  if (static_cast<std::uint8_t>(reject.code) >= reject_code_count) return DecodeError::OutOfRange;
  return {};
}

Fault check(const BlobAnnounce& announce) {
  if (announce.size == 0 || announce.size > max_blob_bytes ||
      announce.content_size > max_blob_bytes ||
      static_cast<std::uint8_t>(announce.kind) >= blob_kind_count)
    return DecodeError::OutOfRange;
  return {};
}

Fault check(const SimulationRequest&) {
  return {};
}
Fault check(const PredictionBaselineOffer&) {
  return {};
}

Fault check(const ControlRequest& request) {
  return check(request.command);
}

Fault check(const SceneListRequest&) {
  return {};
}

Fault check(const SceneInfo& info) {
  if (info.count == 0 || info.count > max_scenes || info.index >= info.count || info.name.empty())
    return DecodeError::OutOfRange;
  return {};
}

Fault check(const SceneRequest&) {
  return {};
}

Fault check(const Notice&) {
  return {};
}

Fault check(const SceneStatus& status) {
  if (status.rate_percent == 0 || status.rate_percent > max_rate_percent)
    return DecodeError::OutOfRange;
  return {};
}

Fault check(const SetInterest& interest) {
  if (const Fault fault = check_position(interest.eye)) return fault;
  if (const Fault fault = check_within(interest.forward, 1 + unit_tolerance)) return fault;
  if (!std::isfinite(interest.half_angle) || !std::isfinite(interest.radius))
    return DecodeError::NotFinite;
  const float squared = math::dot(interest.forward, interest.forward);
  const bool is_unit = std::abs(squared - 1) <= unit_tolerance;
  if (!is_unit && squared != 0) return DecodeError::OutOfRange;
  if (interest.half_angle < 0 || interest.half_angle > math::pi || interest.radius < 0 ||
      interest.radius > static_cast<float>(max_position) ||
      interest.bodies.size() > max_interest_bodies)
    return DecodeError::OutOfRange;
  state::BodyId last;
  for (const state::BodyId id : interest.bodies) {
    if (id <= last) return DecodeError::OutOfRange;
    last = id;
  }
  return {};
}

Fault check(const InspectRequest& request) {
  if ((request.layers & ~state::all_debug_draw_layers) != 0) return DecodeError::OutOfRange;
  return {};
}

Fault check(const BlobChunk& chunk) {
  if (chunk.bytes.empty() || chunk.bytes.size() > max_blob_chunk_bytes ||
      std::size_t{chunk.offset} + chunk.bytes.size() > max_blob_bytes)
    return DecodeError::OutOfRange;
  return {};
}

Fault check(const state::Shape& shape) {
  if (static_cast<std::uint8_t>(shape.kind) >= state::shape_kind_count)
    return DecodeError::OutOfRange;
  // A shape whose sizes are all 0. At the end, `rest` equals it if the fields that the kind does
  // not use are 0.
  state::Shape blank;
  blank.kind = shape.kind;
  blank.solid = shape.solid;
  state::Shape rest = shape;
  Fault fault;
  const auto take = [&](float& metres) {
    if (!fault) fault = check_size(metres);
    metres = 0;
  };
  const bool has_axis = shape.kind == state::ShapeKind::Capsule ||
                        shape.kind == state::ShapeKind::Cylinder ||
                        shape.kind == state::ShapeKind::Cone;
  if (shape.kind == state::ShapeKind::Sphere || has_axis) take(rest.radius);
  if (has_axis) take(rest.half_segment);
  if (shape.kind == state::ShapeKind::Box) {
    take(rest.half_extents.x);
    take(rest.half_extents.y);
    take(rest.half_extents.z);
  }
  if (!fault && !(rest == blank)) fault = DecodeError::OutOfRange;
  const bool has_right_solid = state::has_solid(shape.kind)
                                   ? shape.solid && state::solid(shape.solid).kind == shape.kind
                                   : !shape.solid;
  if (!fault && !has_right_solid) fault = DecodeError::OutOfRange;
  return fault;
}

Fault check(std::span<const state::BodyInfo> bodies) {
  if (bodies.size() > max_bodies) return DecodeError::OutOfRange;
  std::size_t shapes = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i > 0 && bodies[i].id <= bodies[i - 1].id) return DecodeError::OutOfRange;
    if (const Fault fault = check_body(bodies[i])) return fault;
    shapes += bodies[i].shapes.size();
  }
  if (shapes > max_body_shapes) return DecodeError::OutOfRange;
  return {};
}

Fault check(const state::WorldDef& world) {
  if (const Fault fault = check_position(world.camera.eye)) return fault;
  if (const Fault fault = check_position(world.camera.target)) return fault;
  return check(std::span(world.bodies));
}

Fault check(const state::WorldChange& change) {
  for (std::size_t i = 0; i < change.despawns.size(); ++i) {
    const state::BodyId before = i == 0 ? state::BodyId{} : change.despawns[i - 1];
    if (change.despawns[i] <= before) return DecodeError::OutOfRange;
  }
  return check(std::span(change.spawns));
}

}  // namespace jostle::protocol::detail
