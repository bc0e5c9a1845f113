#include "api/physics/tables.h"

namespace jostle::api {

WorldTable& worlds() {
  static constinit WorldTable table("world");
  return table;
}
SolidTable& solids() {
  static constinit SolidTable table("solid");
  return table;
}
SceneTable& scenes() {
  static constinit SceneTable table("scene");
  return table;
}

SolidPointer find_solid(jostle_solid handle) {
  return *solids().read(handle);
}
jostle_solid create_solid(SolidPointer solid) {
  return solids().create(std::make_unique<SolidPointer>(std::move(solid)));
}

}  // namespace jostle::api
