#pragma once

#include "shared/base/bytes.h"
#include "shared/base/field_name.h"
#include "shared/physics/detail/world_state.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace jostle::physics {

/// Archive that reads the fields visited by state_fields.h from a save. The bytes are untrusted.
class ReadingArchive {
 public:
  ReadingArchive(base::ByteReader& reader, const SolidRegistry& solids)
      : reader_(reader), solids_(solids) {}

  void operator()(base::FieldName, bool& value) { value = reader_.boolean(); }
  /// Reads a byte of flags. Fails if any but the `known` bits are set.
  void flags(const char*, std::uint8_t& value, std::uint8_t known) {
    value = reader_.u8();
    if ((value & ~known) != 0) reader_.fail();
  }
  void operator()(base::FieldName, std::int32_t& value) { value = reader_.i32(); }
  void operator()(base::FieldName, std::uint32_t& value) { value = reader_.u32(); }
  void operator()(base::FieldName, std::uint64_t& value) { value = reader_.u64(); }
  void operator()(base::FieldName, float& value) { value = reader_.f32(); }
  void operator()(base::FieldName, double& value) { value = reader_.f64(); }
  template <typename Enum>
  void enumerator(const char*, Enum& value, std::uint8_t count) {
    const std::uint8_t read = reader_.u8();
    if (read >= count) {
      reader_.fail();
    } else {
      value = static_cast<Enum>(read);
    }
  }
  void solid(const char*, std::shared_ptr<const state::Solid>& solid) {
    const auto known = solids_.find(reader_.u64());
    if (known != solids_.end()) {
      solid = known->second;
    } else if (reader_.ok()) {
      is_solid_missing_ = true;
      reader_.fail();
    }
  }
  bool is_solid_missing() const { return is_solid_missing_; }
  /// Reads a count of items of at least `min_item_bytes` each. Fails if the remaining bytes cannot
  /// hold them.
  std::uint32_t count(std::size_t min_item_bytes) { return reader_.count(min_item_bytes); }
  bool ok() const { return reader_.ok(); }

 private:
  base::ByteReader& reader_;
  const SolidRegistry& solids_;
  bool is_solid_missing_ = false;
};

}  // namespace jostle::physics
