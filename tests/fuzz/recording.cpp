// Fuzzes recordings: arbitrary bytes, sections with valid lengths and checksums and arbitrary
// contents, and a valid recording whose simulation state was changed. Such a state must be
// rejected, or be able to continue.
#include "shared/base/assert.h"
#include "shared/base/bytes.h"
#include "shared/base/crc32c.h"
#include "shared/compression/compression.h"
#include "shared/record/recording_reader.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "tests/fuzz/fuzz_input.h"

#include <algorithm>

namespace jostle::record::fuzz_recording {
namespace {

using fuzz::FuzzInput;
using Bytes = std::vector<std::byte>;

constexpr std::string_view scene_text = R"({
  "name": "recorded",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "crate", "position": [0, 0.6, 0], "shape": { "box": { "size": [1, 1, 1] } } },
    { "name": "ball", "position": [0.2, 2, 0], "shape": { "sphere": { "radius": 0.4 } } }
  ],
  "joints": [ { "kind": "distance", "body_a": "crate", "body_b": "ball", "anchor": [0, 1, 0], "anchor_b": [0.2, 2, 0] } ],
  "spawns": [ { "position": [3, 1, 0] } ]
})";
constexpr std::uint32_t ticks_here = 4;

std::unique_ptr<sim::Simulation> start() {
  static const auto scene = scene::parse_scene(scene_text, "recorded.scene.json");
  JOSTLE_ASSERT(scene.has_value());
  return std::make_unique<sim::Simulation>(*scene, sim::SimulationOptions{60, 9},
                                           sim::default_rules());
}

/// Returns a short recording with one player.
const Recording& good_recording() {
  static const Recording made = [] {
    const auto simulation = start();
    for (std::uint32_t tick = 1; tick <= 3; ++tick)
      simulation->step({{tick},
                        tick == 1 ? std::vector<state::Command>{state::JoinCommand{{1}, "ann"}}
                                  : std::vector<state::Command>{}});
    Bytes bytes;
    RecordingWriter writer(*simulation, rule_names(sim::default_rules()), "recorded.scene.json",
                           [&](std::span<const std::byte> part) {
                             bytes.insert(bytes.end(), part.begin(), part.end());
                             return true;
                           });
    for (std::uint32_t tick = 4; tick < 4 + ticks_here; ++tick) {
      const state::TickCommands commands{{tick}, {}};
      simulation->step(commands);
      writer.add_tick(commands, *simulation);
    }
    writer.close(*simulation);
    auto recording = read_recording(bytes);
    JOSTLE_ASSERT(recording.has_value() && recording->is_closed);
    return *std::move(recording);
  }();
  return made;
}

/// Checks the tick rate, and that the ticks are consecutive.
void check_recording(const Recording& recording) {
  JOSTLE_ASSERT(recording.header.tick_rate_hz >= state::min_tick_rate_hz);
  JOSTLE_ASSERT(recording.header.tick_rate_hz <= state::max_tick_rate_hz);
  std::size_t ticks = 0;
  std::optional<std::uint32_t> last;
  for (const RecordedBlock& block : recording.blocks) {
    JOSTLE_ASSERT(!block.ticks.empty());
    for (const RecordedTick& recorded : block.ticks) {
      const std::uint32_t tick = recorded.commands.tick.number;
      JOSTLE_ASSERT(tick != 0 && (!last || tick == *last + 1));
      last = tick;
    }
    ticks += block.ticks.size();
  }
  JOSTLE_ASSERT(recording.tick_count() == ticks);
}

void read(std::span<const std::byte> bytes) {
  const auto recording = read_recording(bytes);
  if (!recording) {
    JOSTLE_ASSERT(!recording.error().text().empty());
    return;
  }
  check_recording(*recording);
  // Without its last byte, the recording is unreadable, or it is not closed and has no more ticks
  // than before.
  const auto torn = read_recording(bytes.first(bytes.size() - 1));
  JOSTLE_ASSERT(!torn || (!torn->is_closed && torn->tick_count() <= recording->tick_count()));
}

/// Reads a file of sections with arbitrary contents.
void read_sections(FuzzInput& input) {
  base::ByteWriter file;
  constexpr std::string_view magic = "JREC";
  file.raw(std::as_bytes(std::span(magic)));
  file.u16(format_version);
  file.u16(0);
  for (int i = 0; i < 8 && !input.is_empty(); ++i) {
    const std::uint8_t kind = input.u8();
    const auto raw = input.block();
    const Bytes stored = (kind & 0x10) != 0 ? fuzz::copy_of(raw) : compression::compress(raw);
    base::ByteWriter section;
    section.u8(kind & 0x0F);
    section.u32(static_cast<std::uint32_t>(stored.size()));
    section.u32((kind & 0x20) != 0 ? input.u32() : static_cast<std::uint32_t>(raw.size()));
    section.raw(stored);
    section.u32(base::crc32c(section.bytes()) ^ ((kind & 0x40) != 0 ? 1U : 0U));
    file.raw(section.bytes());
  }
  read(file.bytes());
}

/// Replays a valid recording whose simulation state was changed.
void replay_changed(FuzzInput& input) {
  Recording recording = good_recording();
  Bytes& state = recording.blocks[0].state_before;
  bool is_changed = false;
  for (std::size_t i = input.choice(6); i > 0; --i) {
    const std::size_t at = input.u16() % state.size();
    const auto patch = input.bytes(input.choice(9));
    for (std::size_t k = 0; k < patch.size() && at + k < state.size(); ++k) {
      is_changed = is_changed || patch[k] != std::byte{0};
      state[at + k] ^= patch[k];
    }
  }
  const std::uint8_t end = input.u8();
  if (end == 1) state.resize(input.u16() % state.size());
  if (end == 2) state.push_back(std::byte{0});
  const auto simulation = start_replay(recording);
  if (!simulation) {
    JOSTLE_ASSERT(is_changed || end != 0);
    JOSTLE_ASSERT(!simulation.error().empty());
    return;
  }
  // Saving and restoring the restored state again must not change its hash.
  base::ByteWriter saved;
  (*simulation)->save(saved);
  const auto other = start();
  base::ByteReader reader(saved.bytes());
  JOSTLE_ASSERT(other->restore(reader).has_value());
  JOSTLE_ASSERT(other->hash() == (*simulation)->hash());
  const VerifyReport report = verify(recording, **simulation);
  JOSTLE_ASSERT(report.ticks <= ticks_here);
  if (!is_changed) JOSTLE_ASSERT(report.ticks == ticks_here && !report.divergence);
}

}  // namespace

JOSTLE_FUZZ_TARGET(recording, data, size) {
  fuzz::FuzzInput input(data, size);
  const std::size_t kind = input.choice(3);
  if (kind == 0) {
    const auto bytes = fuzz::copy_of(input.rest());
    if (!bytes.empty()) read(bytes);
  } else if (kind == 1) {
    read_sections(input);
  } else {
    replay_changed(input);
  }
  return 0;
}

}  // namespace jostle::record::fuzz_recording
