#include "tools/workload/body_state.h"

#include "shared/base/bytes.h"

namespace jostle::workload {
namespace {

constexpr std::size_t bytes_per_body = 13 * sizeof(float);

void put(base::ByteWriter& writer, math::Vec3 v) {
  writer.f32(v.x);
  writer.f32(v.y);
  writer.f32(v.z);
}

math::Vec3 take_vector(base::ByteReader& reader) {
  math::Vec3 v;
  v.x = reader.f32();
  v.y = reader.f32();
  v.z = reader.f32();
  return v;
}

}  // namespace

bool is_finite(const BodyState& state) {
  constexpr math::Quat none{0, 0, 0, 0};  // possible in a dump; its axes would be 0 ÷ 0
  return math::is_finite(state.position) && math::is_finite(state.rotation) &&
         state.rotation != none && math::is_finite(state.linear_velocity) &&
         math::is_finite(state.angular_velocity);
}

std::vector<std::byte> encode_dump(std::span<const BodyState> states) {
  base::ByteWriter writer;
  writer.i32(static_cast<std::int32_t>(states.size()));
  for (const BodyState& state : states) {
    put(writer, state.position);
    writer.f32(state.rotation.x);
    writer.f32(state.rotation.y);
    writer.f32(state.rotation.z);
    writer.f32(state.rotation.w);
    put(writer, state.linear_velocity);
    put(writer, state.angular_velocity);
  }
  return writer.take();
}

base::Result<std::vector<BodyState>, std::string> decode_dump(std::span<const std::byte> bytes) {
  base::ByteReader reader(bytes);
  const std::uint32_t count = reader.count(bytes_per_body);
  if (!reader.ok() || reader.remaining() != count * bytes_per_body) {
    return std::string("is not a dump: its size does not match its number of bodies");
  }
  std::vector<BodyState> states(count);
  for (BodyState& state : states) {
    state.position = take_vector(reader);
    state.rotation.x = reader.f32();
    state.rotation.y = reader.f32();
    state.rotation.z = reader.f32();
    state.rotation.w = reader.f32();
    state.linear_velocity = take_vector(reader);
    state.angular_velocity = take_vector(reader);
  }
  return states;
}

}  // namespace jostle::workload
