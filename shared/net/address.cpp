#include "shared/net/address.h"

#include "shared/base/parse_number.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>

namespace jostle::net {
namespace {

std::optional<Ip> parse_v4(std::string_view text) {
  std::uint32_t ip = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (at == end || *at != '.') return std::nullopt;
      ++at;
    }
    // Reject leading zeros, which some parsers read as octal and others as decimal.
    const bool has_leading_zero = end - at >= 2 && at[0] == '0' && at[1] >= '0' && at[1] <= '9';
    unsigned value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value > 255 || has_leading_zero) return std::nullopt;
    ip = (ip << 8) | value;
    at = next;
  }
  if (at != end) return std::nullopt;
  return ip;
}

std::optional<Ip> parse_v6(std::string_view text, std::uint32_t scope) {
  // inet_pton stops at a zero byte, so reject texts that contain one.
  if (text.size() >= INET6_ADDRSTRLEN || text.find('\0') != std::string_view::npos)
    return std::nullopt;
  Ip::Bytes bytes{};
  if (::inet_pton(AF_INET6, std::string(text).c_str(), bytes.data()) != 1) return std::nullopt;
  return Ip(bytes, scope);
}

/// Returns the interface index for `text`, which is an index or the name of an interface. Returns 0
/// for an unknown name; does not check whether an index exists.
std::uint32_t parse_scope(std::string_view text) {
  if (const auto number = base::parse_number<std::uint32_t>(text)) return *number;
  if (text.size() >= IF_NAMESIZE || text.find('\0') != std::string_view::npos) return 0;
  return ::if_nametoindex(std::string(text).c_str());
}

}  // namespace

std::string to_string(Ip ip) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const Ip::Bytes bytes = ip.bytes();
  if (ip.is_v4()) {
    ::inet_ntop(AF_INET, bytes.data() + 12, text.data(), text.size());
  } else {
    ::inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  }
  return text.data() + (ip.scope() == 0 ? "" : "%" + std::to_string(ip.scope()));
}

std::string to_string(Address address) {
  const std::string ip = to_string(address.ip);
  return (address.ip.is_v4() ? ip : "[" + ip + "]") + ":" + std::to_string(address.port);
}

std::optional<Ip> parse_ip(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return parse_v4(text);
  const std::size_t percent = text.find('%');
  if (percent == std::string_view::npos) return parse_v6(text, 0);
  const std::uint32_t scope = parse_scope(text.substr(percent + 1));
  const std::optional<Ip> ip = parse_v6(text.substr(0, percent), scope);
  // It is an error to give an unknown interface, or an interface for an address that needs none.
  return ip && ip->scope() != 0 ? ip : std::nullopt;
}

std::string ip_fault(const std::string& text) {
  const std::optional<Ip> ip = parse_ip(text);
  if (ip && ip->is_link_local() && ip->scope() == 0) {
    return "'" + text + "' is link-local: append the interface, as in " + text + "%eth0";
  }
  const std::size_t percent = text.find('%');
  if (!ip && percent != std::string::npos) {
    const std::optional<Ip> bare = parse_ip(std::string_view(text).substr(0, percent));
    if (bare && bare->is_link_local())
      return "'" + text + "': this machine has no interface '" + text.substr(percent + 1) + "'";
  }
  return ip ? std::string() : "'" + text + "' is neither an IPv4 nor an IPv6 address";
}

std::optional<HostAndPort> split_host_and_port(std::string_view text) {
  HostAndPort found;
  std::string_view rest;
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return std::nullopt;
    found.host = text.substr(1, bracket - 1);
    rest = text.substr(bracket + 1);
    // Brackets are only for IPv6.
    if (found.host.find(':') == std::string::npos) return std::nullopt;
  } else if (std::count(text.begin(), text.end(), ':') > 1) {
    found.host = text;
  } else {
    found.host = text.substr(0, text.find(':'));
    rest = text.substr(found.host.size());
  }
  // Only the syntax of the address is checked here; ip_fault() checks whether the interface exists.
  const std::string bare = found.host.substr(0, found.host.find('%'));
  const bool is_v6 = found.host.find(':') != std::string::npos;
  if (found.host.empty() || (is_v6 && !parse_ip(bare))) return std::nullopt;
  if (rest.empty()) return found;
  found.port = base::parse_number<std::uint16_t>(rest.substr(1));
  return rest.front() == ':' && found.port ? std::optional(found) : std::nullopt;
}

base::Result<Address, std::string> parse_endpoint(const std::string& text) {
  const std::optional<HostAndPort> parts = split_host_and_port(text);
  if (!parts) {
    return "'" + text +
           "' is not an IPv4 or IPv6 address with a port, such as 127.0.0.1:7777 or [::1]:7777";
  }
  if (const std::string fault = ip_fault(parts->host); !fault.empty())
    return parts->host == text ? fault : "'" + text + "': " + fault;
  const Ip ip = *parse_ip(parts->host);
  if (!parts->port) {
    return "'" + text + "' has no port: write " + to_string(Address{ip, 7'777}) + ", for example";
  }
  return Address{ip, *parts->port};
}

}  // namespace jostle::net
