#include "web/wasm/client_host.h"

namespace jostle::web {

ClientEngine make_client_engine(EngineUse) {
  return {};
}

}  // namespace jostle::web
