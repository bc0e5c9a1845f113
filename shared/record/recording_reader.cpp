#include "shared/record/recording_reader.h"

#include "protocol/input_codec.h"
#include "shared/base/bytes.h"
#include "shared/base/crc32c.h"
#include "shared/base/planted.h"
#include "shared/compression/compression.h"
#include "shared/scene/scene.h"

#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace jostle::record {
namespace {

constexpr std::size_t preamble_bytes = 8;
constexpr std::size_t section_head_bytes = 9;
constexpr std::size_t crc_bytes = 4;
constexpr std::size_t max_name_bytes = 4096;
// Maximum decompressed size of a section: `small_section_bytes`, plus `max_growth` bytes per stored
// byte. States and ticks need less. The limit rejects small sections that claim to hold hundreds of
// MiB.
constexpr std::size_t max_growth = 400, small_section_bytes = std::size_t{1} << 20;

constexpr std::size_t min_tick_bytes = 4 + 1 + 8 + 4 * hash_parts.size();

struct Section {
  SectionType type = SectionType::Header;
  std::vector<std::byte> raw;
};

std::vector<BodyHash> read_bodies(base::ByteReader& reader) {
  std::vector<BodyHash> bodies(reader.count(4 + 8));
  for (BodyHash& body : bodies) {
    body.body = {reader.u32()};
    body.hash = reader.u64();
  }
  return bodies;
}

/// A reader that goes through a recording section by section and stops at the first error.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  base::Result<Recording, RecordingError> read();
  base::Result<ReadableStart, RecordingError> read_start();

 private:
  std::optional<RecordingError> read_sections();
  std::optional<RecordingError> take(const Section& section);
  void end_last_block();
  bool has_intact_section() const;
  std::optional<RecordingError> read_preamble();
  /// Returns the next section. Returns null at the end of the bytes, and at a last section that is
  /// incomplete or has a wrong checksum.
  base::Result<std::optional<Section>, RecordingError> next_section();
  std::optional<RecordingError> read_header(const Section& section);
  std::optional<RecordingError> read_block(const Section& section);
  std::optional<RecordingError> read_ticks(const Section& section);
  std::optional<RecordingError> read_ticks(base::ByteReader& reader, RecordedBlock& block,
                                           std::uint32_t first_tick, std::uint32_t tick_count);
  std::optional<RecordingError> read_tick(base::ByteReader& reader, RecordedBlock& block,
                                          std::uint32_t tick);
  RecordingError error(std::string message) const { return {std::move(message), offset_}; }

  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;       // start of the next section
  std::uint32_t next_tick_ = 0;  // 0 before the first block
  std::uint16_t format_ = format_version;
  bool has_header_ = false;
  Recording recording_;
  std::vector<ReadableStart::Cut> cuts_;
};

base::Result<Recording, RecordingError> Reader::read() {
  if (auto bad = read_preamble()) return *bad;
  if (auto bad = read_sections()) return *bad;
  if (!has_header_) return error("the header is missing or incomplete");
  end_last_block();
  return std::move(recording_);
}

base::Result<ReadableStart, RecordingError> Reader::read_start() {
  if (auto bad = read_preamble()) return *bad;
  ReadableStart start;
  start.fault = read_sections();
  if (!has_header_) {
    RecordingError bad = start.fault ? *start.fault : error("the header is missing or incomplete");
    bad.has_sections_after = has_intact_section();
    return bad;
  }
  end_last_block();
  start.valid_bytes = offset_;
  start.has_sections_after_fault = start.fault && has_intact_section();
  start.recording = std::move(recording_);
  start.cuts = std::move(cuts_);
  return start;
}

/// Reads sections up to the end or the first error. `offset_` is then the end of the last section
/// that was read.
std::optional<RecordingError> Reader::read_sections() {
  for (;;) {
    const std::size_t section_offset = offset_;
    auto section = next_section();
    if (!section) return section.error();
    if (!section->has_value()) return std::nullopt;
    const std::size_t after = std::exchange(offset_, section_offset);
    if (auto bad = take(**section)) return bad;
    offset_ = after;
    const SectionType type = (*section)->type;
    if (type == SectionType::Block || type == SectionType::Ticks)
      cuts_.push_back({offset_, next_tick_});
  }
}

std::optional<RecordingError> Reader::take(const Section& section) {
  if (!has_header_ && section.type != SectionType::Header)
    return error("the first section is not a header");
  if (has_header_ && section.type == SectionType::Header) return error("there is a second header");
  if (recording_.is_closed) return error("there is a section after the index");
  switch (section.type) {
    case SectionType::Header:
      has_header_ = true;
      return read_header(section);
    case SectionType::Block:
      return read_block(section);
    case SectionType::Ticks:
      return read_ticks(section);
    case SectionType::Index:
      recording_.is_closed = true;
      return std::nullopt;
  }
  return std::nullopt;
}

/// Moves the state of a last block without ticks to `final_state`.
void Reader::end_last_block() {
  if (recording_.blocks.empty() || !recording_.blocks.back().ticks.empty()) return;
  recording_.final_state = std::move(recording_.blocks.back().state_before);
  recording_.blocks.pop_back();
}

/// Returns true if an intact section begins anywhere in the remaining bytes.
bool Reader::has_intact_section() const {
  const std::span<const std::byte> rest = bytes_.subspan(offset_);
  for (std::size_t at = 1; at + section_head_bytes + crc_bytes <= rest.size(); ++at) {
    base::ByteReader head(rest.subspan(at));
    const std::uint8_t type = head.u8();
    const std::size_t stored_bytes = head.u32(), raw_bytes = head.u32();
    if (type < 1 || type > 4 || stored_bytes == 0 || raw_bytes > max_section_bytes) continue;
    const std::size_t covered = section_head_bytes + stored_bytes;
    if (covered + crc_bytes > rest.size() - at) continue;
    base::ByteReader tail(rest.subspan(at + covered));
    if (tail.u32() == base::crc32c(rest.subspan(at, covered))) return true;
  }
  return false;
}

std::optional<RecordingError> Reader::read_preamble() {
  base::ByteReader reader(bytes_);
  const auto magic = reader.raw(4);
  const std::uint16_t format = reader.u16();
  const std::uint16_t reserved = reader.u16();
  constexpr std::string_view expected = "JREC";
  if (!reader.ok() ||
      std::string_view(reinterpret_cast<const char*>(magic.data()), magic.size()) != expected) {
    return error("not a recording: it does not start with JREC");
  }
  if (format < oldest_format_version || format > format_version) {
    RecordingError bad =
        error("the recording has format " + std::to_string(format) + "; this build reads formats " +
              std::to_string(oldest_format_version) + " to " + std::to_string(format_version) +
              ". Read it with the version of jostle that wrote it");
    bad.is_other_format = true;
    return bad;
  }
  format_ = format;
  if (reserved != 0) return error("the reserved bytes are not zero");
  offset_ = preamble_bytes;
  return std::nullopt;
}

base::Result<std::optional<Section>, RecordingError> Reader::next_section() {
  const std::span<const std::byte> rest = bytes_.subspan(offset_);
  if (rest.size() < section_head_bytes + crc_bytes) return std::optional<Section>{};
  base::ByteReader head(rest);
  const std::uint8_t type = head.u8();
  const std::size_t stored_bytes = head.u32();
  const std::size_t raw_bytes = head.u32();
  // A length beyond the end means that the end is incomplete, unless an intact section follows:
  // then the length itself is damaged.
  if (stored_bytes > rest.size() - section_head_bytes - crc_bytes) {
    if (has_intact_section()) return error("the section's length exceeds the file");
    return std::optional<Section>{};
  }
  const std::size_t covered = section_head_bytes + stored_bytes;
  base::ByteReader tail(rest.subspan(covered));
  if (tail.u32() != base::crc32c(rest.first(covered)) && !base::is_planted("tail-unchecked")) {
    const bool is_last = covered + crc_bytes == rest.size();
    if (is_last) return std::optional<Section>{};
    return error("the section's checksum does not match");
  }
  if (type < 1 || type > (format_ == 3 ? 3 : 4))
    return error("unknown section type " + std::to_string(type));
  if (raw_bytes > max_section_bytes) return error("the section exceeds the limit of 512 MiB");
  if (raw_bytes > small_section_bytes + max_growth * stored_bytes)
    return error("a section of " + std::to_string(stored_bytes) +
                 " stored bytes claims a decompressed size of " + std::to_string(raw_bytes));
  auto raw = compression::decompress(rest.subspan(section_head_bytes, stored_bytes), raw_bytes);
  if (!raw) return error("the section cannot be decompressed");
  offset_ += covered + crc_bytes;
  return std::optional<Section>(Section{static_cast<SectionType>(type), std::move(*raw)});
}

std::optional<RecordingError> Reader::read_header(const Section& section) {
  base::ByteReader reader(section.raw);
  RecordingHeader& header = recording_.header;
  header.program = reader.text(max_name_bytes);
  header.scene_file = reader.text(max_name_bytes);
  header.scene_text = reader.text(scene::max_scene_file_bytes);
  header.scene_hash = reader.u64();
  header.seed = reader.u64();
  header.tick_rate_hz = reader.u32();
  const std::uint32_t rule_count = reader.count(4);
  for (std::uint32_t i = 0; i < rule_count && reader.ok(); ++i) {
    header.rules.push_back(reader.text(max_name_bytes));
  }
  if (!reader.at_end()) return error("the header is malformed");
  if (header.tick_rate_hz < state::min_tick_rate_hz ||
      header.tick_rate_hz > state::max_tick_rate_hz) {
    return error("the tick rate of " + std::to_string(header.tick_rate_hz) +
                 " Hz is not supported");
  }
  return std::nullopt;
}

std::optional<RecordingError> Reader::read_block(const Section& section) {
  base::ByteReader reader(section.raw);
  const std::uint32_t first_tick = reader.u32();
  const std::uint32_t state_bytes = reader.u32();
  const auto state = reader.raw(state_bytes);
  std::vector<BodyHash> bodies = read_bodies(reader);
  const std::uint32_t tick_count = reader.count(min_tick_bytes);
  if (!reader.ok()) return error("the block is malformed");
  if (tick_count == 0 && format_ == 3) return error("the block has no ticks");
  if (first_tick == 0 || first_tick > std::numeric_limits<std::uint32_t>::max() - tick_count) {
    return error("the block's first tick, " + std::to_string(first_tick) + ", is out of range");
  }
  if (next_tick_ != 0 && first_tick != next_tick_) {
    return error("the block starts at tick " + std::to_string(first_tick) + ", but tick " +
                 std::to_string(next_tick_) + " is expected");
  }
  RecordedBlock block;
  block.state_before.assign(state.begin(), state.end());
  block.bodies_before = std::move(bodies);
  if (auto bad = read_ticks(reader, block, first_tick, tick_count)) return bad;
  // A block without ticks is replaced by the next one, which begins with the same state.
  if (!recording_.blocks.empty() && recording_.blocks.back().ticks.empty())
    recording_.blocks.pop_back();
  recording_.blocks.push_back(std::move(block));
  return std::nullopt;
}

std::optional<RecordingError> Reader::read_ticks(const Section& section) {
  base::ByteReader reader(section.raw);
  const std::uint32_t first_tick = reader.u32();
  const std::uint32_t tick_count = reader.count(min_tick_bytes);
  if (!reader.ok() || tick_count == 0) return error("the section of ticks is malformed");
  if (recording_.blocks.empty()) return error("there are ticks before the first state");
  if (first_tick != next_tick_ ||
      first_tick > std::numeric_limits<std::uint32_t>::max() - tick_count)
    return error("a section starts at tick " + std::to_string(first_tick) + ", but tick " +
                 std::to_string(next_tick_) + " is expected");
  return read_ticks(reader, recording_.blocks.back(), first_tick, tick_count);
}

std::optional<RecordingError> Reader::read_ticks(base::ByteReader& reader, RecordedBlock& block,
                                                 std::uint32_t first_tick,
                                                 std::uint32_t tick_count) {
  const std::size_t kept = block.ticks.size();
  for (std::uint32_t i = 0; i < tick_count; ++i) {
    auto bad = read_tick(reader, block, first_tick + i);
    if (!bad && i + 1 == tick_count && !reader.at_end()) bad = error("the block is malformed");
    if (!bad) continue;
    block.ticks.resize(kept);  // read_start() returns whole sections only
    return bad;
  }
  if (!reader.at_end()) return error("the block is malformed");
  next_tick_ = first_tick + tick_count;
  return std::nullopt;
}

std::optional<RecordingError> Reader::read_tick(base::ByteReader& reader, RecordedBlock& block,
                                                std::uint32_t tick) {
  RecordedTick recorded;
  recorded.commands.tick = {tick};
  if (const std::uint32_t encoded_bytes = reader.u32(); encoded_bytes != 0) {
    auto commands = protocol::decode_commands(reader.raw(encoded_bytes));
    if (!reader.ok() || !commands || commands->tick.number != tick) {
      return error("the commands of tick " + std::to_string(tick) + " cannot be read");
    }
    recorded.commands = *std::move(commands);
  }
  const std::uint8_t fault_count = reader.u8();
  if (fault_count > max_faults_per_tick)
    return error("tick " + std::to_string(tick) + " has " + std::to_string(fault_count) +
                 " faults, more than the limit of 16");
  for (std::uint8_t i = 0; i < fault_count && reader.ok(); ++i) {
    const state::BodyId body{reader.u32()};
    recorded.faults.push_back({body, reader.text(max_field_name_bytes)});
  }
  recorded.hash.total = reader.u64();
  for (std::uint32_t& part : recorded.hash.parts)
    part = reader.u32();
  block.ticks.push_back(std::move(recorded));
  return std::nullopt;
}

}  // namespace

base::Result<Recording, RecordingError> read_recording(std::span<const std::byte> bytes) {
  return Reader(bytes).read();
}

base::Result<ReadableStart, RecordingError> read_start(std::span<const std::byte> bytes) {
  return Reader(bytes).read_start();
}

FirstTick find_first_tick(std::span<const std::byte> start) {
  std::size_t at = preamble_bytes;
  for (;;) {
    if (start.size() < at + section_head_bytes) return {0, at + section_head_bytes};
    base::ByteReader head(start.subspan(at));
    const auto type = static_cast<SectionType>(head.u8());
    const std::size_t stored_bytes = head.u32(), raw_bytes = head.u32();
    const std::size_t end = at + section_head_bytes + stored_bytes + crc_bytes;
    if (type == SectionType::Block) {
      if (raw_bytes > max_section_bytes ||
          raw_bytes > small_section_bytes + max_growth * stored_bytes)
        return {};
      if (start.size() < end) return {0, end};
      const std::size_t covered = section_head_bytes + stored_bytes;
      base::ByteReader tail(start.subspan(at + covered));
      if (tail.u32() != base::crc32c(start.subspan(at, covered))) return {};
      const auto raw =
          compression::decompress(start.subspan(at + section_head_bytes, stored_bytes), raw_bytes);
      return {raw ? base::ByteReader(*raw).u32() : 0, 0};
    }
    if (type != SectionType::Header) return {};
    at = end;
  }
}

}  // namespace jostle::record
