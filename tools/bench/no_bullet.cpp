#include "tools/bench/engine.h"

namespace jostle::bench {

EngineKind bullet_engine() {
  return {"bullet", nullptr};
}

}  // namespace jostle::bench
