#include "shared/scene/detail/error_subject.h"

#include "shared/scene/detail/json_lexer.h"
#include "shared/scene/scene_generated.h"

#include <charconv>
#include <cstddef>

namespace jostle::scene::detail {
namespace {

/// The list and index at the start of a path, e.g. bodies[12].
struct Place {
  std::string_view list;
  std::size_t index = 0;
};
Place first_place(std::string_view path) {
  const std::size_t open = path.find('[');
  if (open == std::string_view::npos || path.find('.') < open) return {};
  Place place{path.substr(0, open), 0};
  std::from_chars(path.data() + open + 1, path.data() + path.size(), place.index);
  return place;
}

std::string quoted(const flatbuffers::String* name) {
  return '"' + printable({name->c_str(), name->size()}) + '"';
}

template <typename Entry>
std::string named(std::string_view what,
                  const flatbuffers::Vector<flatbuffers::Offset<Entry>>* list, std::size_t index) {
  if (list == nullptr || index >= list->size()) return {};
  const flatbuffers::String* name = list->Get(static_cast<flatbuffers::uoffset_t>(index))->name();
  return name == nullptr ? std::string{} : std::string(what) + " " + quoted(name);
}

std::string joint_of(const flatbuffers::Vector<flatbuffers::Offset<wire::Joint>>* list,
                     std::size_t index) {
  if (list == nullptr || index >= list->size()) return {};
  const wire::Joint* joint = list->Get(static_cast<flatbuffers::uoffset_t>(index));
  if (joint->body_a() == nullptr || joint->body_b() == nullptr) return {};
  return "the joint of " + quoted(joint->body_a()) + " and " + quoted(joint->body_b());
}

std::string pair_of(const flatbuffers::Vector<flatbuffers::Offset<wire::MaterialPair>>* list,
                    std::size_t index) {
  if (list == nullptr || index >= list->size()) return {};
  const auto* names = list->Get(static_cast<flatbuffers::uoffset_t>(index))->materials();
  if (names == nullptr || names->size() != 2) return {};
  return "the pair of " + quoted(names->Get(0)) + " and " + quoted(names->Get(1));
}

}  // namespace

std::string subject_of(const wire::Scene& table, std::string_view path) {
  const Place place = first_place(path);
  if (path.ends_with(".name")) return {};
  if (place.list == "bodies") return named("body", table.bodies(), place.index);
  if (place.list == "templates") return named("template", table.templates(), place.index);
  if (place.list == "materials") return named("material", table.materials(), place.index);
  if (place.list == "material_pairs") return pair_of(table.material_pairs(), place.index);
  if (place.list == "generators") return named("generator", table.generators(), place.index);
  if (place.list == "assemblies") return named("assembly", table.assemblies(), place.index);
  if (place.list == "particles") return named("particle set", table.particles(), place.index);
  if (place.list == "labels") return named("label", table.labels(), place.index);
  if (place.list == "joints") return joint_of(table.joints(), place.index);
  return {};
}

}  // namespace jostle::scene::detail
