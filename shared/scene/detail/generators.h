#pragma once

#include "shared/scene/detail/body_list.h"
#include "shared/scene/detail/body_reader.h"

namespace jostle::scene::detail {

/// Appends the bodies of one generator. All counts are checked before any body is created.
void expand_generator(ValueReader& reader, const wire::Generator& table, const Path& path,
                      const BodyContext& context, BodyList& list);

}  // namespace jostle::scene::detail
