#include "protocol/player_name.h"

#include "protocol/limits.h"
#include "protocol/text.h"
#include "shared/base/visible_name.h"

namespace jostle::protocol {

std::string name_fault(std::string_view name) {
  if (name.empty() || name.size() > max_name_bytes)
    return "a name must have 1 to " + std::to_string(max_name_bytes) + " bytes, not " +
           std::to_string(name.size());
  if (!is_wire_text(name, max_name_bytes))
    return "a name must be UTF-8 text without control characters";
  const std::string fault = base::visible_name_fault(name);
  return fault.empty() ? fault : "a name " + fault;
}

}  // namespace jostle::protocol
