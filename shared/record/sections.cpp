#include "shared/record/sections.h"

#include "shared/base/bytes.h"
#include "shared/base/crc32c.h"
#include "shared/compression/compression.h"

namespace jostle::record {

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
