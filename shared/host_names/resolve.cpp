#include "shared/host_names/resolve.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace jostle::host_names {
namespace {

/// Maximum number of addresses. In the first round, a client tries each for 1 s before the next
/// one.
constexpr std::size_t most_addresses = 6;

std::optional<net::Ip> ip_of(const addrinfo& info) {
  if (info.ai_family == AF_INET) {
    sockaddr_in address{};
    std::memcpy(&address, info.ai_addr, sizeof address);
    return net::Ip(ntohl(address.sin_addr.s_addr));
  }
  if (info.ai_family == AF_INET6) {
    sockaddr_in6 address{};
    std::memcpy(&address, info.ai_addr, sizeof address);
    net::Ip::Bytes bytes{};
    std::memcpy(bytes.data(), &address.sin6_addr, bytes.size());
    return net::Ip(bytes, address.sin6_scope_id);
  }
  return std::nullopt;
}

}  // namespace

bool is_ip_text(const std::string& host) {
  // The system would read "1.2.3" as 1.2.0.3 and connect to the wrong machine.
  return host.find(':') != std::string::npos ||
         host.find_first_not_of("0123456789.") == std::string::npos;
}

std::vector<net::Ip> in_order_of_trial(std::span<const net::Ip> found) {
  std::vector<net::Ip> ordered;
  for (const bool is_v4 : {true, false}) {
    for (const net::Ip ip : found) {
      const bool is_new = std::find(ordered.begin(), ordered.end(), ip) == ordered.end();
      if (ip.is_v4() == is_v4 && is_new && ordered.size() < most_addresses) ordered.push_back(ip);
    }
  }
  return ordered;
}

net::Ip local_ip_for(std::span<const net::Address> server) {
  const net::Ip first = server.front().ip;
  const bool is_one_family = std::all_of(server.begin(), server.end(), [&](const auto& each) {
    return each.ip.is_v4() == first.is_v4();
  });
  if (!is_one_family) return net::any_ip6;
  const bool is_local = std::all_of(server.begin(), server.end(), net::is_loopback);
  return is_local ? net::loopback_of_family(first) : net::any_of_family(first);
}

base::Result<std::vector<net::Address>, std::string> resolve(const std::string& host,
                                                             std::uint16_t port) {
  if (is_ip_text(host)) {
    if (std::string fault = net::ip_fault(host); !fault.empty()) return fault;
    return std::vector{net::Address{*net::parse_ip(host), port}};
  }
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(host.c_str(), nullptr, &wanted, &list);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, &freeaddrinfo);
  std::vector<net::Ip> found;
  for (const addrinfo* info = list; info != nullptr; info = info->ai_next)
    if (const auto ip = ip_of(*info)) found.push_back(*ip);
  // A minimal system has no /etc/hosts. RFC 6761, section 6.3: localhost is always the loopback.
  if (found.empty() && host == "localhost")
    found = {*net::parse_ip("127.0.0.1"), *net::parse_ip("::1")};
  if (found.empty()) {
    return "cannot resolve the server name '" + host +
           "': " + gai_strerror(error != 0 ? error : EAI_NONAME);
  }
  std::vector<net::Address> addresses;
  for (const net::Ip ip : in_order_of_trial(found))
    addresses.push_back({ip, port});
  return addresses;
}

}  // namespace jostle::host_names
