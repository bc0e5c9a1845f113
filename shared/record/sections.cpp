#include "shared/record/sections.h"

#include "protocol/input_codec.h"
#include "shared/base/assert.h"
#include "shared/base/bytes.h"
#include "shared/base/crc32c.h"
#include "shared/base/version.h"
#include "shared/compression/compression.h"

namespace jostle::record {
namespace {

std::vector<std::byte> header_bytes(const RecordingHeader& header) {
  base::ByteWriter writer;
  writer.text(header.program);
  writer.text(header.scene_file);
  writer.text(header.scene_text);
  writer.u64(header.scene_hash);
  writer.u64(header.seed);
  writer.u32(header.tick_rate_hz);
  writer.u32(static_cast<std::uint32_t>(header.rules.size()));
  for (const std::string& rule : header.rules)
    writer.text(rule);
  return writer.take();
}

}  // namespace

std::vector<std::byte> recording_start(const RecordingHeader& header) {
  base::ByteWriter start;
  for (const char c : {'J', 'R', 'E', 'C'})
    start.u8(static_cast<std::uint8_t>(c));
  start.u16(format_version);
  start.u16(0);
  start.raw(section_of(SectionType::Header, header_bytes(header)));
  return start.take();
}

std::vector<std::byte> recording_start(const sim::Simulation& simulation,
                                       const std::vector<std::string>& rules,
                                       const std::string& scene_file) {
  // Write only the file name, because recordings are shared and the names of a user's folders are
  // private.
  return recording_start(
      RecordingHeader{.program = base::build_description(),
                      .scene_file = scene_file.substr(scene_file.rfind('/') + 1),
                      .scene_text = simulation.scene().source_text,
                      .scene_hash = simulation.scene_hash(),
                      .seed = simulation.options().seed,
                      .tick_rate_hz = static_cast<std::uint32_t>(simulation.options().tick_rate_hz),
                      .rules = rules});
}

void write_tick(base::ByteWriter& writer, const state::TickCommands& commands,
                const std::vector<RecordedFault>& faults, const TickHash& hash) {
  if (commands.commands.empty()) {
    writer.u32(0);
  } else {
    const std::vector<std::byte> encoded = protocol::encode_commands(commands);
    writer.u32(static_cast<std::uint32_t>(encoded.size()));
    writer.raw(encoded);
  }
  JOSTLE_ASSERT(faults.size() <= max_faults_per_tick);
  writer.u8(static_cast<std::uint8_t>(faults.size()));
  for (const RecordedFault& fault : faults) {
    writer.u32(fault.body.value);
    writer.text(fault.field);
  }
  writer.u64(hash.total);
  for (const std::uint32_t part : hash.parts)
    writer.u32(part);
}

std::vector<std::byte> block_bytes(std::uint32_t first_tick,
                                   std::span<const std::byte> state_before,
                                   std::span<const BodyHash> bodies_before,
                                   std::uint32_t tick_count, std::span<const std::byte> ticks) {
  base::ByteWriter block;
  block.reserve(state_before.size() + 12 * bodies_before.size() + ticks.size() + 16);
  block.u32(first_tick);
  block.u32(static_cast<std::uint32_t>(state_before.size()));
  block.raw(state_before);
  block.u32(static_cast<std::uint32_t>(bodies_before.size()));
  for (const BodyHash& body : bodies_before) {
    block.u32(body.body.value);
    block.u64(body.hash);
  }
  block.u32(tick_count);
  block.raw(ticks);
  return block.take();
}

std::vector<std::byte> section_of(SectionType type, std::span<const std::byte> raw) {
  const std::vector<std::byte> stored = compression::compress(raw);
  base::ByteWriter section;
  section.u8(static_cast<std::uint8_t>(type));
  section.u32(static_cast<std::uint32_t>(stored.size()));
  section.u32(static_cast<std::uint32_t>(raw.size()));
  section.raw(stored);
  section.u32(base::crc32c(section.bytes()));
  return section.take();
}

std::vector<std::byte> index_section(std::span<const IndexEntry> index) {
  base::ByteWriter writer;
  writer.u32(static_cast<std::uint32_t>(index.size()));
  for (const IndexEntry& entry : index) {
    writer.u64(entry.offset);
    writer.u32(entry.first_tick);
    writer.u32(entry.tick_count);
  }
  return section_of(SectionType::Index, writer.bytes());
}

}  // namespace jostle::record
