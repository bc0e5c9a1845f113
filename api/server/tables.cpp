#include "api/server/tables.h"

namespace jostle::api {

ServerTable& servers() {
  static constinit ServerTable table("server");
  return table;
}
RecordingTable& recordings() {
  static constinit RecordingTable table("recording");
  return table;
}

}  // namespace jostle::api
