#include "server/lan_discovery_service.h"

#include "protocol/context/own_hello.h"
#include "shared/base/bytes.h"
#include "shared/lan/local_address.h"
#include "shared/net/link_socket.h"

#include <algorithm>
#include <array>
#include <limits>
#include <system_error>
#include <utility>

namespace jostle::server {
namespace {

std::uint16_t as_u16(std::size_t count) {
  return static_cast<std::uint16_t>(
      std::min<std::size_t>(count, std::numeric_limits<std::uint16_t>::max()));
}

}  // namespace

base::Result<std::unique_ptr<LanDiscoveryService>, std::string> LanDiscoveryService::create(
    asio::io_context& context, net::Io& io, const Server& server, const sim::Simulation& world,
    const Description& description) {
  auto socket = net::open_link_socket(lan::discovery_port, lan::discovery_group);
  if (!socket) {
    return "cannot listen on UDP port " + std::to_string(lan::discovery_port) + ": " +
           std::string(net::describe(socket.error()));
  }
  const protocol::Hello own = protocol::context::own_hello();
  lan::ServerInfo facts{.port = description.port,
                        .access = description.access,
                        .protocol_version = {.major = own.version_major,
                                             .minor = own.version_minor,
                                             .schema = own.schema_hash,
                                             .priors = own.priors_hash},
                        .places = as_u16(description.places),
                        .key = description.key,
                        .name = lan::fitted(description.name, lan::max_name_bytes),
                        .scene = {}};
  std::array<std::byte, 8> random{};
  io.fill_random(random);
  return std::unique_ptr<LanDiscoveryService>(
      new LanDiscoveryService(context, io, server, world, std::move(facts),
                              base::ByteReader(random).u64(), *std::move(socket)));
}

LanDiscoveryService::LanDiscoveryService(asio::io_context& context, net::Io& io,
                                         const Server& server, const sim::Simulation& world,
                                         lan::ServerInfo facts, std::uint64_t instance,
                                         std::unique_ptr<net::DatagramSocket> socket)
    : io_(io),
      server_(server),
      world_(world),
      facts_(std::move(facts)),
      responder_(instance),
      socket_(std::move(socket)),
      waiting_(context) {
  waiting_.assign(socket_->native_handle());
}

// The socket object closes the descriptor; release() only detaches it from the event loop.
LanDiscoveryService::~LanDiscoveryService() {
  waiting_.release();
}

void LanDiscoveryService::stop() {
  is_running_ = false;
  std::error_code ignored;
  waiting_.cancel(ignored);
}

void LanDiscoveryService::wait() {
  waiting_.async_wait(asio::posix::stream_descriptor::wait_read,
                      [this](const std::error_code& error) {
                        if (error || !is_running_) return;
                        responder_.serve(
                            *socket_, [this] { return facts_now(); }, io_.now_us());
                        wait();
                      });
}

lan::ServerInfo LanDiscoveryService::facts_now() const {
  lan::ServerInfo facts = facts_;
  facts.scene = lan::fitted(world_.world_def().scene_name, lan::max_scene_bytes);
  facts.players = as_u16(static_cast<std::size_t>(std::ranges::count_if(
      server_.sessions(), [](const auto& entry) { return !entry.second.player.is_null(); })));
  return facts;
}

}  // namespace jostle::server
