#pragma once

#include "shared/scene/detail/part_readers.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jostle::scene::detail {

/// A body as a file states it, over the template it is like. `body` holds all but the shapes.
struct BodyDraft {
  SceneBody body;
  std::vector<ShapeDraft> shapes;
  Surface surface;
  std::optional<SceneFilter> filter;
};

using Templates = std::map<std::string, BodyDraft, std::less<>>;

/// What the bodies of one scene refer to.
struct BodyContext {
  Materials materials;
  Templates templates;
  SceneWorld world;
};

/// Reads the fields of one body; `name` of the draft is the body's own, or empty.
BodyDraft read_body(ValueReader& reader, const wire::Body& table, const Path& path,
                    const BodyContext& context);
/// The body that the draft describes, checked as a whole.
SceneBody finish_body(ValueReader& reader, const BodyDraft& draft, const Path& path);

/// Into `context.templates`, each of which may be like one above it.
void read_templates(ValueReader& reader, const Tables<wire::Body>* tables, BodyContext& context);

}  // namespace jostle::scene::detail
