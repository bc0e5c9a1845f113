#pragma once

#include "shared/base/result.h"
#include "shared/net/faulty_link.h"

#include <string>
#include <string_view>
#include <vector>

namespace jostle::net {

/// The faults of a network between a client and its server. `up` is the direction from the client
/// to the server.
struct NetworkConditions {
  LinkFaults up, down;

  bool operator==(const NetworkConditions&) const = default;
};

/// Parses network conditions from the command line: LATENCY/JITTER/LOSS%, a name of
/// net_profiles(), or both of them followed by settings, for example
/// "satellite,up.rate=64,loss=2%". "40/10/5%" means 40 ms of latency, up to 10 ms of additional
/// jitter and 5 % loss in each direction. A setting applies to both directions, or to the one that
/// its prefix "up." or "down." names. net_sim_settings() lists the settings. The error says what is
/// wrong, where, and what is accepted.
base::Result<NetworkConditions, std::string> parse_net_sim(std::string_view text);

/// Returns the error message of parse_net_sim() for the text, or an empty string if it is valid.
std::string net_sim_fault(const std::string& text);

/// A named set of network conditions.
struct NetProfile {
  std::string_view name;
  NetworkConditions conditions;
};
/// Returns profiles of typical user networks.
const std::vector<NetProfile>& net_profiles();
/// Returns the names of the profiles: "broadband, wifi, ...".
std::string net_profile_names();
/// Returns the names and values of the settings, for help texts and error messages.
std::string net_sim_settings();

/// Describes network conditions for users, for example "40 ms, up to 10 ms of jitter, 5 % lost,
/// each way".
std::string describe(const NetworkConditions& conditions);

}  // namespace jostle::net
