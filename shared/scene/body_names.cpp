#include "shared/scene/detail/body_names.h"

#include "shared/scene/detail/json_lexer.h"
#include "shared/scene/detail/spelling.h"

namespace jostle::scene::detail {

BodyNames::BodyNames(const std::vector<SceneBody>& bodies) {
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].name.empty()) indices_.emplace(bodies[i].name, i);
  }
}

std::uint32_t BodyNames::find(ValueReader& reader, const flatbuffers::String* text,
                              const Path& path) const {
  if (text == nullptr) {
    reader.fail(path, "is missing");
    return 0;
  }
  const auto found = indices_.find(text->string_view());
  if (found != indices_.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [name, unused] : indices_)
    known.push_back(name);
  reader.fail(path, "no body is named \"" + printable(text->string_view()) + "\"" +
                        name_hint(text->string_view(), known));
  return 0;
}

}  // namespace jostle::scene::detail
