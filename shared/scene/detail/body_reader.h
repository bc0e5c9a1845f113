#pragma once

#include "shared/scene/detail/part_readers.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jostle::scene::detail {

/// A body as stated in a file, merged over its template. `body` has no shapes yet: finish_body()
/// creates them from the other members.
struct BodyDraft {
  SceneBody body;
  std::vector<ShapeDraft> shapes;
  Surface surface;
  std::optional<SceneFilter> filter;
};

using Templates = std::map<std::string, BodyDraft, std::less<>>;

/// Data that the bodies of a scene refer to.
struct BodyContext {
  Materials materials;
  Templates templates;
  SceneWorld world;
};

/// Reads the fields of one body. The draft has the body's own name, or none, but never the name of
/// the template.
BodyDraft read_body(ValueReader& reader, const wire::Body& table, const Path& path,
                    const BodyContext& context);
/// Checks the draft as a whole, and returns the body that it describes.
SceneBody finish_body(ValueReader& reader, const BodyDraft& draft, const Path& path);

/// Reads the templates into `context.templates`. A template may itself name an earlier template.
void read_templates(ValueReader& reader, const Tables<wire::Body>* tables, BodyContext& context);

}  // namespace jostle::scene::detail
