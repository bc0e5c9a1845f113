#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/tables.h"
#include "shared/base/bytes.h"
#include "shared/physics/state_listing.h"

#include <jostle/physics/state.h>

#include <string>
#include <vector>

namespace jostle::api {
namespace {

static_assert(JOSTLE_NUMBER_F64 == static_cast<int>(physics::NumberKind::F64));

jostle_state_hash hash_of(const physics::StateHash& hash) {
  return {sizeof(jostle_state_hash),
          hash.bodies,
          hash.shapes,
          hash.contacts,
          hash.islands,
          hash.joints,
          hash.fields,
          hash.particles,
          hash.total};
}

const char* explain(physics::RestoreError error) {
  switch (error) {
    case physics::RestoreError::Truncated:
      return "the save ends too early";
    case physics::RestoreError::WrongFormat:
      return "the bytes are not a save of this version";
    case physics::RestoreError::MissingSolid:
      return "the save refers to a solid that is not registered; call jostle_world_add_solid "
             "before";
    default:
      return "the save is inconsistent";
  }
}

/// Returns the place of a number in a state: "bodies 3 linear_velocity.y".
std::string place_of(const physics::StateNumber& number) {
  std::string place(describe(number.part));
  if (number.owner != physics::StateNumber::no_owner) place += " " + std::to_string(number.owner);
  return place + " " + number.field();
}

/// Returns the first difference of two listings, or an empty text.
std::string difference_of(const std::vector<physics::StateNumber>& a,
                          const std::vector<physics::StateNumber>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (is_same_place(a[i], b[i])) {
      if (a[i].bits == b[i].bits && a[i].kind == b[i].kind) continue;
      return place_of(a[i]) + ": " + a[i].text() + " and " + b[i].text();
    }
    const bool is_in_a = is_listed_before(a[i], b[i]);
    return place_of(is_in_a ? a[i] : b[i]) + " exists only in the " +
           (is_in_a ? "first" : "second") + " world";
  }
  if (a.size() == b.size()) return {};
  const bool is_in_a = a.size() > b.size();
  return place_of(is_in_a ? a[b.size()] : b[a.size()]) + " exists only in the " +
         (is_in_a ? "first" : "second") + " world";
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_world_get_hash(jostle_world world, jostle_state_hash* hash) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_output(hash, "hash");
    write_struct(hash, hash_of(found.hash()));
  });
}
jostle_result jostle_body_get_hash(jostle_world world, jostle_body body, uint64_t* hash) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, body, "body");
    require_pointer(hash, "hash");
    *hash = found.hash(handle);
  });
}

jostle_result jostle_world_save(jostle_world world, void* buffer, size_t capacity, size_t* size) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_pointer(size, "size");
    require_array(buffer, capacity, 1, "buffer");
    base::ByteWriter writer;
    found.save(writer);
    *size = writer.size();
    if (buffer == nullptr) return;
    if (writer.size() > capacity) {
      refuse(JOSTLE_ERROR_BUFFER_TOO_SMALL, "the buffer holds %zu bytes; needed: %zu", capacity,
             writer.size());
    }
    std::memcpy(buffer, writer.bytes().data(), writer.size());
  });
}
jostle_result jostle_world_restore(jostle_world world, const void* bytes, size_t size) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    require_pointer(bytes, "bytes");
    base::ByteReader reader({static_cast<const std::byte*>(bytes), size});
    const auto restored = found.restore(reader);
    if (!restored) refuse_text(JOSTLE_ERROR_INVALID_DATA, explain(restored.error()));
  });
}
jostle_result jostle_world_copy(jostle_world from, jostle_world to) {
  return guard(__func__, [&] {
    const auto source = worlds().read(from);
    if (from.index == to.index && from.generation == to.generation) return;
    const auto target = worlds().change_own(to);
    target->copy_from(*source);
  });
}

jostle_result jostle_world_get_state(jostle_world world, jostle_state_number* numbers,
                                     size_t stride, size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto output = list_output(numbers, stride, capacity, count);
    const std::vector<physics::StateNumber> listing = found.dump_state();
    write_list(output, listing.size(), [&](std::size_t i) {
      const physics::StateNumber& number = listing[i];
      // describe() returns string literals, which end with a zero.
      return jostle_state_number{describe(number.part).data(),
                                 number.name,
                                 number.component,
                                 number.owner,
                                 number.bits,
                                 static_cast<jostle_number_kind>(number.kind),
                                 number.index};
    });
  });
}
jostle_result jostle_world_compare(jostle_world a, jostle_world b, char* text, size_t capacity) {
  return guard(__func__, [&] {
    const auto first = worlds().read(a), second = worlds().read(b);
    const std::string difference = difference_of(first->dump_state(), second->dump_state());
    write_text(difference.data(), difference.size(), text, capacity, "text");
  });
}

jostle_result jostle_world_set_stage_hook(jostle_world world, jostle_stage_hook hook, void* user) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    if (hook == nullptr) return found.set_stage_hook({});
    found.set_stage_hook([&found, hook, user](physics::Stage stage) {
      const jostle_state_hash hash = hash_of(found.hash());
      hook(user, static_cast<jostle_stage>(stage), &hash);
    });
  });
}
jostle_result jostle_body_flip_lowest_bit(jostle_world world, jostle_body body, const char* field) {
  return change_world(__func__, world, [&](physics::World& found) {
    const auto handle = require_alive(found, body, "body");
    require_pointer(field, "field");
    if (!found.flip_lowest_bit(handle, field)) {
      refuse(JOSTLE_ERROR_NOT_FOUND,
             "the body has no number '%.64s' that can change; accepted: names of "
             "jostle_world_get_state, such as linear_velocity.y",
             field);
    }
  });
}
