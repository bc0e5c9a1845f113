#pragma once

#include <string>

namespace jostle::gate {

/// Returns the folder of the page that belongs to this program: `../share/jostle/web` beside an
/// installed program, `../../web` (build/web) beside one of the build folder. The environment
/// variable JOSTLE_WEB names another one. Empty if there is none.
std::string installed_page_folder();

}  // namespace jostle::gate
