#include "client/app/server_search.h"

#include "protocol/context/own_hello.h"
#include "shared/base/program_names.h"
#include "shared/crypto/encode.h"
#include "shared/lan/local_address.h"
#include "shared/net/link_socket.h"

#include <SDL.h>

#include <array>
#include <cstdio>
#include <vector>

namespace jostle::client_app {
namespace {

constexpr std::int64_t listening_us = 1'000'000;

std::vector<net::Address> everybody() {
  std::vector<net::Address> all;
  for (const net::Ip ip : net::everybody_on_links(lan::discovery_group))
    all.push_back({ip, lan::discovery_port});
  return all;
}

lan::ProtocolVersion own_protocol_version() {
  const protocol::Hello own = protocol::context::own_hello();
  return {.major = own.version_major,
          .minor = own.version_minor,
          .schema = own.schema_hash,
          .priors = own.priors_hash};
}

/// Returns a sentence on why the versions are incompatible; empty if they are compatible.
std::string version_fault(const lan::ProtocolVersion& other) {
  const lan::ProtocolVersion own = own_protocol_version();
  if (are_compatible(own, other)) return {};
  const auto name = [](const lan::ProtocolVersion& protocol_version) {
    std::array<char, 64> text{};
    std::snprintf(
        text.data(), text.size(), "%u.%u/%08llx", protocol_version.major, protocol_version.minor,
        static_cast<unsigned long long>((protocol_version.schema ^ protocol_version.priors) >> 32));
    return std::string(text.data());
  };
  return "the server has the incompatible version " + name(other) + ", this program has " +
         name(own) + "; build both from the same commit";
}

const char* access_words(secure::AccessMode mode) {
  switch (mode) {
    case secure::AccessMode::Open:
      return "open to all";
    case secure::AccessMode::SharedKey:
      return "requires a shared key";
    case secure::AccessMode::Token:
      return "requires a token";
  }
  return "";
}

std::string milliseconds(double ms) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f ms", ms);
  return text.data();
}

panels::ServerLine::Access access_of(secure::AccessMode mode) {
  switch (mode) {
    case secure::AccessMode::Open:
      return panels::ServerLine::Access::Open;
    case secure::AccessMode::SharedKey:
      return panels::ServerLine::Access::SharedKey;
    case secure::AccessMode::Token:
      return panels::ServerLine::Access::Token;
  }
  return panels::ServerLine::Access::Unknown;
}

}  // namespace

base::Result<std::unique_ptr<lan::DiscoveryClient>, std::string> search_local_network(net::Io& io) {
  auto socket = net::open_link_socket(0, lan::discovery_group);
  if (!socket) {
    return "cannot search the local network for servers: " +
           std::string(net::describe(socket.error()));
  }
  return std::make_unique<lan::DiscoveryClient>(io, *std::move(socket), everybody);
}

panels::ServerLine line_of(const lan::DiscoveredServer& server) {
  const lan::ServerInfo& facts = server.facts;
  panels::ServerLine line;
  line.address = net::to_string(server.address);
  line.name = facts.name.empty() ? "(no name)" : facts.name;
  line.players = std::to_string(facts.players) + " of " + std::to_string(facts.places);
  line.round_trip = milliseconds(server.round_trip_ms);
  line.access = access_of(facts.access);
  line.fault = version_fault(facts.protocol_version);
  line.scene = line.fault.empty() ? facts.scene : "incompatible";
  line.detail = std::string(access_words(facts.access)) +
                "; fingerprint (unverified): " + crypto::fingerprint(facts.key);
  return line;
}

int print_local_servers(net::Io& io, const std::function<bool()>& should_stop) {
  const auto search = search_local_network(io);
  if (!search) {
    std::fprintf(stderr, "jostle-view: %s\n", search.error().c_str());
    return 1;
  }
  const std::int64_t end_us = io.now_us() + listening_us;
  while (io.now_us() < end_us && !should_stop()) {
    (*search)->update();
    SDL_Delay(1);
  }
  for (const lan::DiscoveredServer& server : (*search)->servers()) {
    const panels::ServerLine line = line_of(server);
    std::printf("%-22s %-20s %-16s %s players, %s, %s\n", line.address.c_str(), line.name.c_str(),
                line.scene.c_str(), line.players.c_str(), line.round_trip.c_str(),
                line.fault.empty() ? line.detail.c_str() : line.fault.c_str());
  }
  if (!(*search)->servers().empty()) return 0;
  std::fprintf(stderr,
               "jostle-view: no server on the local network answered within 1 s "
               "(start one with `%s --lan`)\n",
               base::program_names().server.c_str());
  return 1;
}

}  // namespace jostle::client_app
