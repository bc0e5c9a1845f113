#pragma once

#include "shared/base/bytes.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"

namespace jostle::sim {

// Encoding of vectors and poses in saves. Reading fails if a value is not finite.

inline void write_vec3(base::ByteWriter& writer, math::Vec3 v) {
  writer.f32(v.x);
  writer.f32(v.y);
  writer.f32(v.z);
}

inline math::Vec3 read_vec3(base::ByteReader& reader) {
  math::Vec3 v;
  v.x = reader.f32();
  v.y = reader.f32();
  v.z = reader.f32();
  if (!math::is_finite(v)) reader.fail();
  return v;
}

inline void write_quat(base::ByteWriter& writer, math::Quat q) {
  writer.f32(q.x);
  writer.f32(q.y);
  writer.f32(q.z);
  writer.f32(q.w);
}

inline math::Quat read_quat(base::ByteReader& reader) {
  math::Quat q;
  q.x = reader.f32();
  q.y = reader.f32();
  q.z = reader.f32();
  q.w = reader.f32();
  if (!math::is_finite(q)) reader.fail();
  return q;
}

inline void write_pose(base::ByteWriter& writer, const math::Pose& pose) {
  writer.f64(pose.position.x);
  writer.f64(pose.position.y);
  writer.f64(pose.position.z);
  write_quat(writer, pose.rotation);
}

inline math::Pose read_pose(base::ByteReader& reader) {
  math::Pose pose;
  pose.position.x = reader.f64();
  pose.position.y = reader.f64();
  pose.position.z = reader.f64();
  if (!math::is_finite(pose.position)) reader.fail();
  pose.rotation = read_quat(reader);
  return pose;
}

}  // namespace jostle::sim
