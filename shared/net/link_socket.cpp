#include "shared/net/link_socket.h"

#include "shared/net/detail/posix.h"
#include "shared/net/detail/udp_socket.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

namespace jostle::net {
namespace {

constexpr Ip loopback_broadcast{0x7FFFFFFFU};

bool set(int descriptor, int level, int option, int value) {
  return ::setsockopt(descriptor, level, option, &value, sizeof value) == 0;
}

/// Joins the group on every interface. Ignores errors, because one interface that fails must not
/// prevent the others from joining.
void join_everywhere(int descriptor, Ip group) {
  const Ip::Bytes bytes = group.bytes();
  struct if_nameindex* const interfaces = ::if_nameindex();
  if (interfaces == nullptr) return;
  for (const struct if_nameindex* each = interfaces; each->if_index != 0; ++each) {
    ipv6_mreq membership{};
    std::memcpy(&membership.ipv6mr_multiaddr, bytes.data(), bytes.size());
    membership.ipv6mr_interface = each->if_index;
    (void)::setsockopt(descriptor, IPPROTO_IPV6, IPV6_JOIN_GROUP, &membership, sizeof membership);
  }
  ::if_freenameindex(interfaces);
}

/// Opens the socket. The error is an errno.
base::Result<std::unique_ptr<DatagramSocket>, int> open(Address local, Ip group) {
  const sa_family_t family = detail::family_of(local.ip);
  detail::FileDescriptor descriptor(::socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!descriptor.is_open()) return errno;
  if (!set(descriptor.get(), SOL_SOCKET, SO_BROADCAST, 1)) return errno;
  if (local.port != 0 && !set(descriptor.get(), SOL_SOCKET, SO_REUSEADDR, 1)) return errno;
  if (family == AF_INET6 && !set(descriptor.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0)) return errno;
  const detail::NamedSocketAddress wanted = detail::to_kernel(local, family);
  if (::bind(descriptor.get(), &wanted.name.any, wanted.bytes) != 0) return errno;
  if (local.port != 0 && family == AF_INET6) join_everywhere(descriptor.get(), group);
  detail::SocketAddress bound{};
  socklen_t bound_bytes = sizeof bound;
  if (::getsockname(descriptor.get(), &bound.any, &bound_bytes) != 0) return errno;
  return std::unique_ptr<DatagramSocket>(
      std::make_unique<detail::UdpSocket>(std::move(descriptor), detail::from_kernel(bound)));
}

/// Returns the broadcast address of an interface's IPv4 address, or the multicast address for its
/// link-local IPv6 address. Returns nothing if the interface is down or has no such address.
std::optional<Ip> everybody_at(const ifaddrs& interface, Ip group) {
  if (interface.ifa_addr == nullptr || (interface.ifa_flags & IFF_UP) == 0) return std::nullopt;
  detail::SocketAddress address{};
  if (interface.ifa_addr->sa_family == AF_INET) {
    if ((interface.ifa_flags & IFF_LOOPBACK) != 0) return loopback_broadcast;
    if ((interface.ifa_flags & IFF_BROADCAST) == 0 || interface.ifa_broadaddr == nullptr)
      return std::nullopt;
    std::memcpy(&address.v4, interface.ifa_broadaddr, sizeof address.v4);
    return detail::from_kernel(address).ip;
  }
  if (interface.ifa_addr->sa_family != AF_INET6 || (interface.ifa_flags & IFF_MULTICAST) == 0)
    return std::nullopt;
  std::memcpy(&address.v6, interface.ifa_addr, sizeof address.v6);
  const Ip own = detail::from_kernel(address).ip;
  if (!own.is_link_local()) return std::nullopt;
  return Ip(group.bytes(), ::if_nametoindex(interface.ifa_name));
}

}  // namespace

base::Result<std::unique_ptr<DatagramSocket>, IoError> open_link_socket(std::uint16_t port,
                                                                        Ip group) {
  auto opened = open({any_ip6, port}, group);
  // Fall back to IPv4 on any other error, for example on a machine without IPv6.
  if (!opened && opened.error() != EADDRINUSE) opened = open({any_ip, port}, group);
  if (!opened) return detail::io_error_of(opened.error());
  return *std::move(opened);
}

std::vector<Ip> everybody_on_links(Ip group) {
  std::vector<Ip> found;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return {loopback_broadcast};
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    const auto ip = everybody_at(*each, group);
    if (ip && std::find(found.begin(), found.end(), *ip) == found.end()) found.push_back(*ip);
  }
  ::freeifaddrs(list);
  return found;
}

}  // namespace jostle::net
