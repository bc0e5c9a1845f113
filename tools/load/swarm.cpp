#include "tools/load/swarm.h"

#include "shared/net/enet_transport.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace jostle::load {
namespace {

constexpr std::int64_t period_us = 1'000'000 / state::default_tick_rate_hz;
/// Number of bots that join per client tick, because the server sends the whole world to each of
/// them and limits half-open connections.
constexpr std::size_t joins_per_tick = 4;
constexpr std::size_t spare_handles = 64;

std::vector<state::BodyId> pushable_bodies(const state::WorldDef& world) {
  std::vector<state::BodyId> bodies;
  for (const state::BodyInfo& body : world.bodies) {
    if (body.grabbable) bodies.push_back(body.id);
  }
  return bodies;
}

/// Returns the transport options of the bot with this number.
net::EnetOptions client_options(const SwarmOptions& options, std::size_t number) {
  net::EnetOptions transport;
  if (options.security) transport.security = options.security(number);
  const bool is_local = net::is_loopback(options.server);
  transport.bind = net::Address{
      is_local ? net::loopback_of_family(options.server.ip) : net::any_of_family(options.server.ip),
      0};
  transport.max_peers = 1;
  transport.is_accepting = false;
  return transport;
}

/// Raises the limit of open files to the number of sockets needed. Returns an error message if that
/// is not possible.
std::optional<std::string> allow_sockets(std::size_t count) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t wanted = count + spare_handles;
  if (limit.rlim_cur >= wanted) return std::nullopt;
  if (limit.rlim_max < wanted) {
    return "a socket for each of the " + std::to_string(count) + " bots exceeds the limit of " +
           std::to_string(limit.rlim_max) +
           " open files per process: use fewer --clients, or raise the limit with ulimit -n";
  }
  limit.rlim_cur = wanted;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    return "the limit of open files cannot be raised to " + std::to_string(wanted) + " files";
  return std::nullopt;
}

}  // namespace

FullClientBot::FullClientBot(net::Io& io, std::unique_ptr<net::Transport> transport,
                             const client::Options& options, InputGenerator inputs)
    : transport_(std::move(transport)),
      io_(io),
      client_(io, *transport_, options),
      inputs_(inputs) {}

void FullClientBot::receive() {
  updated_us_ = io_.now_us();
  client_.update();
}

void FullClientBot::advance() {
  if (auto input = inputs_.next(pushable_bodies(client_.world()))) client_.set_input(*input);
  // Arriving datagrams update the client. This call updates it only if none has arrived for a tick.
  if (io_.now_us() - updated_us_ >= period_us) receive();
}

AckOnlyBot& AckOnlyGroup::add(net::Io& io, AckOnlyBot::Options options, base::Random random) {
  bots_.push_back(std::make_unique<AckOnlyBot>(io, *transport_, std::move(options), random));
  return *bots_.back();
}

void AckOnlyGroup::receive() {
  events_.clear();
  transport_->service(events_);
  for (const net::PeerEvent& event : events_) {
    const auto bot = by_peer_.find(event.peer.value);
    if (bot != by_peer_.end()) bot->second->take(event);
  }
  transport_->flush();
}

void AckOnlyGroup::advance(std::size_t joined) {
  for (std::size_t i = 0; i < std::min(joined, bots_.size()); ++i) {
    AckOnlyBot& bot = *bots_[i];
    const auto before = bot.peer();
    bot.advance();
    if (bot.peer() && bot.peer() != before) by_peer_[bot.peer()->value] = &bot;
  }
  receive();
}

void AckOnlyGroup::close() {
  for (const auto& bot : bots_)
    bot->close();
}

base::Result<std::unique_ptr<Swarm>, std::string> Swarm::create(net::Io& io,
                                                                const SwarmOptions& options) {
  std::unique_ptr<Swarm> swarm(new Swarm(io, options));
  if (auto error = swarm->open()) return *std::move(error);
  return swarm;
}

Swarm::Swarm(net::Io& io, SwarmOptions options) : io_(io), options_(std::move(options)) {}

Swarm::~Swarm() {
  close();
  if (poll_ >= 0) ::close(poll_);
}

std::optional<std::string> Swarm::open() {
  if (auto error = allow_sockets(options_.clients)) return error;
  poll_ = ::epoll_create1(EPOLL_CLOEXEC);
  if (poll_ < 0) return "cannot create an epoll instance";
  base::Random random(options_.seed);
  for (std::size_t i = 0; i < options_.clients; ++i) {
    if (auto error = add_bot(random, i)) return error;
  }
  return std::nullopt;
}

std::optional<std::string> Swarm::add_bot(base::Random& random, std::size_t number) {
  const std::string name = "bot " + std::to_string(number + 1);
  const auto role = number < options_.players ? protocol::Role::Player : protocol::Role::Spectator;
  if (number % options_.decode_every != 0)
    return add_light({options_.server, name, role, options_.profile, options_.mix}, random.split(),
                     number);
  net::EnetOptions transport_options = client_options(options_, number);
  auto transport = net::EnetTransport::create(io_, transport_options);
  if (!transport) return transport.error().text;
  client::Options options;
  options.server = options_.server;
  options.name = name;
  options.role = role;
  options.profile = options_.profile;
  options.connect_timeout_us = options_.connect_timeout_us;
  whole_.push_back(std::make_unique<FullClientBot>(io_, *std::move(transport), options,
                                                   InputGenerator(options_.mix, random.split())));
  FullClientBot* const bot = whole_.back().get();
  return wait_on(bot->native_handle(), [bot] { bot->receive(); });
}

std::optional<std::string> Swarm::add_light(AckOnlyBot::Options options, base::Random random,
                                            std::size_t number) {
  if (light_.empty() || light_.back()->bots().size() == options_.per_socket) {
    net::EnetOptions transport_options = client_options(options_, number);
    transport_options.max_peers = options_.per_socket;
    auto transport = net::EnetTransport::create(io_, transport_options);
    if (!transport) return transport.error().text;
    light_.push_back(std::make_unique<AckOnlyGroup>(*std::move(transport)));
    AckOnlyGroup* const group = light_.back().get();
    if (auto error = wait_on(group->native_handle(), [group] { group->receive(); })) return error;
  }
  AckOnlyBot& bot = light_.back()->add(io_, std::move(options), random);
  bot.set_age_hook([this](std::int64_t us) { ages_.add(us); });
  return std::nullopt;
}

std::optional<std::string> Swarm::wait_on(int handle, std::function<void()> receive) {
  receivers_.push_back(std::move(receive));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = receivers_.size() - 1;
  if (::epoll_ctl(poll_, EPOLL_CTL_ADD, handle, &event) == 0) return std::nullopt;
  return "cannot add the socket of a bot to epoll";
}

bool Swarm::run_until(std::int64_t end_us) {
  for (std::int64_t due_us = io_.now_us(); due_us < end_us; due_us += period_us) {
    if (!advance()) return false;
    receive_until(std::min(due_us + period_us, end_us));
  }
  return true;
}

bool Swarm::advance() {
  joined_ = std::min(joined_ + joins_per_tick, options_.clients);
  for (std::size_t i = 0; i < std::min(joined_, whole_.size()); ++i) {
    whole_[i]->advance();
    const client::Status& status = whole_[i]->client().status();
    if (status.state != client::ClientState::Failed) continue;
    error_ = status.text;
    return false;
  }
  std::size_t joined_light = joined_ - std::min(joined_, whole_.size());
  for (const auto& group : light_) {
    if (joined_light == 0) break;
    group->advance(joined_light);
    joined_light -= std::min(joined_light, group->bots().size());
    for (const auto& bot : group->bots()) {
      if (bot->refusal().empty()) continue;
      error_ = "the server refused the connection: " + bot->refusal();
      return false;
    }
  }
  return true;
}

/// Handles datagrams as soon as they arrive, because a delay would count as round-trip time.
void Swarm::receive_until(std::int64_t end_us) {
  std::array<epoll_event, 256> ready;
  for (;;) {
    const std::int64_t wait_us = end_us - io_.now_us();
    if (wait_us <= 0) return;
    const timespec wait{0, wait_us * 1'000};
    const int count =
        ::epoll_pwait2(poll_, ready.data(), static_cast<int>(ready.size()), &wait, nullptr);
    if (count <= 0) return;
    for (int i = 0; i < count; ++i)
      receivers_[ready[static_cast<std::size_t>(i)].data.u64]();
  }
}

void Swarm::close() {
  for (const auto& bot : whole_) {
    bot->client().close();
    bot->receive();
  }
  for (const auto& group : light_)
    group->close();
}

std::size_t Swarm::playing() const {
  std::size_t count = 0;
  for (const auto& bot : whole_)
    count += bot->client().metrics().snapshots_complete > 0 ? 1 : 0;
  for (const auto& group : light_) {
    for (const auto& bot : group->bots())
      count += bot->is_playing() ? 1 : 0;
  }
  return count;
}

std::uint64_t Swarm::light_snapshots() const {
  std::uint64_t sum = 0;
  for (const auto& group : light_) {
    for (const auto& bot : group->bots())
      sum += bot->snapshots();
  }
  return sum;
}

}  // namespace jostle::load
