#include "tools/priors/frame_set.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace jostle::priors {
namespace {

constexpr std::size_t body_count = 901, fields = 8;
constexpr int zero = 1 << (protocol::rotation_bits - 1);
using Record = std::array<std::int32_t, fields>;

[[noreturn]] void give_up(const std::string& path) {
  std::fprintf(stderr, "cannot use %s\n", path.c_str());
  std::exit(2);
}

// Axes of one frame in those of the other: x stays, y and z change places, one with its sign
// changed.
using Components = std::array<int, 4>;

Components unpack(int largest, const std::array<int, 3>& smallest) {
  Components c{};
  for (int i = 0, from = 0; i < 4; ++i) {
    if (i != largest)
      c[static_cast<std::size_t>(i)] = smallest[static_cast<std::size_t>(from++)] - zero;
  }
  return c;
}

std::array<int, 3> pack(int largest, const Components& c, int sign) {
  std::array<int, 3> smallest{};
  for (int i = 0, to = 0; i < 4; ++i) {
    if (i != largest)
      smallest[static_cast<std::size_t>(to++)] = sign * c[static_cast<std::size_t>(i)] + zero;
  }
  return smallest;
}

protocol::QuantizedBody from_record(const Record& r) {
  const Components c = unpack(r[0], {r[1], r[2], r[3]});
  constexpr std::array<std::uint8_t, 4> place{0, 2, 1, 3};
  protocol::QuantizedBody body;
  body.largest = place[static_cast<std::size_t>(r[0])];
  const auto packed = pack(body.largest, {c[0], c[2], -c[1], c[3]}, r[0] == 1 ? -1 : 1);
  for (std::size_t i = 0; i < 3; ++i)  // the set's 0 has no mirror image in 9 bits
    body.smallest[i] = static_cast<std::uint16_t>(std::min(packed[i], protocol::rotation_max));
  body.position = {r[4], r[6], -r[5]};
  body.is_awake = r[7] != 0;
  return body;
}

Record to_record(const protocol::QuantizedBody& body) {
  const Components c = unpack(body.largest, {body.smallest[0], body.smallest[1], body.smallest[2]});
  constexpr std::array<int, 4> place{0, 2, 1, 3};
  const int largest = place[body.largest];
  const auto packed = pack(largest, {c[0], -c[2], c[1], c[3]}, body.largest == 2 ? -1 : 1);
  return {largest,          packed[0],         packed[1],        packed[2],
          body.position[0], -body.position[2], body.position[1], body.is_awake ? 1 : 0};
}

}  // namespace

std::vector<protocol::context::BodyFacts> facts_of_cubes(std::size_t count) {
  std::vector<protocol::context::BodyFacts> facts(count, {102, false});
  facts[0] = {384, true};
  return facts;
}

FrameSet read_frames(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) give_up(path);
  FrameSet set;
  std::vector<Record> records(body_count);
  const auto bytes = static_cast<std::streamsize>(body_count * sizeof(Record));
  while (file.read(reinterpret_cast<char*>(records.data()), bytes)) {
    auto& frame = set.frames.emplace_back();
    frame.reserve(body_count);
    for (const Record& record : records)
      frame.push_back(from_record(record));
  }
  if (set.frames.empty()) give_up(path);
  return set;
}

void write_frames(const FrameSet& set, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (const auto& frame : set.frames) {
    for (const protocol::QuantizedBody& body : frame) {
      const Record record = to_record(body);
      file.write(reinterpret_cast<const char*>(record.data()), sizeof record);
    }
  }
  if (!file) give_up(path);
}

}  // namespace jostle::priors
