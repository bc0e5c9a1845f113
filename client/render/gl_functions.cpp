#include "client/render/gl_functions.h"

#include <SDL.h>

namespace jostle::render {

base::Result<GlFunctions, std::string> load_gl_functions() {
  GlFunctions gl;
  std::string missing;
  // An object pointer becomes a function pointer: what every GL loader relies on, and POSIX grants.
#define JOSTLE_GL_LOAD(name)                                                            \
  gl.name = reinterpret_cast<decltype(&::gl##name)>(SDL_GL_GetProcAddress("gl" #name)); \
  if (gl.name == nullptr && missing.empty()) missing = "gl" #name;
  JOSTLE_GL_FUNCTIONS(JOSTLE_GL_LOAD)
#undef JOSTLE_GL_LOAD
  if (!missing.empty()) return missing;
  return gl;
}

}  // namespace jostle::render
