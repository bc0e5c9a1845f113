#include "shared/record/recording_writer.h"

#include "protocol/input_codec.h"
#include "shared/base/assert.h"
#include "shared/base/version.h"

#include <utility>

namespace jostle::record {
namespace {

std::vector<std::byte> header_bytes(const sim::Simulation& simulation,
                                    const std::vector<std::string>& rules,
                                    const std::string& scene_file) {
  base::ByteWriter writer;
  writer.text(base::build_description());
  // Write only the file name, because recordings are shared and the names of a user's folders are
  // private.
  writer.text(scene_file.substr(scene_file.rfind('/') + 1));
  writer.text(simulation.scene().source_text);
  writer.u64(scene::hash(simulation.scene()));
  writer.u64(simulation.options().seed);
  writer.u32(static_cast<std::uint32_t>(simulation.options().tick_rate_hz));
  writer.u32(static_cast<std::uint32_t>(rules.size()));
  for (const std::string& rule : rules)
    writer.text(rule);
  return writer.take();
}

}  // namespace

RecordingWriter::RecordingWriter(const sim::Simulation& simulation,
                                 const std::vector<std::string>& rules,
                                 const std::string& scene_file, RecordingSink sink)
    : sink_(std::move(sink)) {
  base::ByteWriter preamble;
  for (const char c : {'J', 'R', 'E', 'C'})
    preamble.u8(static_cast<std::uint8_t>(c));
  preamble.u16(format_version);
  preamble.u16(0);
  put(preamble.bytes());
  put(section_of(SectionType::Header, header_bytes(simulation, rules, scene_file)));
  begin_block(simulation);
}

void RecordingWriter::add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                               const std::vector<RecordedFault>& faults) {
  JOSTLE_ASSERT(commands.tick == after.tick());
  if (tick_count_ == 0) first_tick_ = commands.tick.number;
  if (commands.commands.empty()) {
    ticks_.u32(0);
  } else {
    const std::vector<std::byte> encoded = protocol::encode_commands(commands);
    ticks_.u32(static_cast<std::uint32_t>(encoded.size()));
    ticks_.raw(encoded);
  }
  JOSTLE_ASSERT(faults.size() <= max_faults_per_tick);
  ticks_.u8(static_cast<std::uint8_t>(faults.size()));
  for (const RecordedFault& fault : faults) {
    ticks_.u32(fault.body.value);
    ticks_.text(fault.field);
  }
  const TickHash hash = tick_hash_of(after.hash());
  ticks_.u64(hash.total);
  for (const std::uint32_t part : hash.parts)
    ticks_.u32(part);
  ++tick_count_;
  if (tick_count_ == ticks_per_block) flush(after);
}

void RecordingWriter::flush(const sim::Simulation& now) {
  if (tick_count_ == 0) return;
  end_block();
  begin_block(now);
}

void RecordingWriter::close(const sim::Simulation& now) {
  flush(now);
  put(index_section(index_));
}

void RecordingWriter::begin_block(const sim::Simulation& now) {
  base::ByteWriter state;
  now.save(state);
  state_before_ = state.take();
  bodies_before_ = body_hashes_of(now);
  ticks_ = {};
  tick_count_ = 0;
}

void RecordingWriter::end_block() {
  index_.push_back({bytes_written_, first_tick_, tick_count_});
  base::ByteWriter block;
  block.u32(first_tick_);
  block.u32(static_cast<std::uint32_t>(state_before_.size()));
  block.raw(state_before_);
  block.u32(static_cast<std::uint32_t>(bodies_before_.size()));
  for (const BodyHash& body : bodies_before_) {
    block.u32(body.body.value);
    block.u64(body.hash);
  }
  block.u32(tick_count_);
  block.raw(ticks_.bytes());
  put(section_of(SectionType::Block, block.bytes()));
}

void RecordingWriter::put(std::span<const std::byte> bytes) {
  if (!is_healthy_) return;
  is_healthy_ = sink_(bytes);
  if (is_healthy_) bytes_written_ += bytes.size();
}

}  // namespace jostle::record
