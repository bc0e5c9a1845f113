#pragma once

#include "api/base/handle_table.h"
#include "api/server/recording_host.h"
#include "api/server/server_host.h"

namespace jostle::api {

using ServerTable = HandleTable<jostle_server, ServerHost, JOSTLE_MAX_SERVERS>;
using RecordingTable = HandleTable<jostle_recording, RecordingHost, JOSTLE_MAX_RECORDINGS>;

/// The servers and recordings of this process.
ServerTable& servers();
RecordingTable& recordings();

}  // namespace jostle::api
