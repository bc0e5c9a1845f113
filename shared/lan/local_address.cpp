#include "shared/lan/local_address.h"

namespace jostle::lan {

bool is_local(net::Ip ip) {
  if (ip.is_loopback() || ip.is_link_local()) return true;
  if (!ip.is_v4()) return (ip.bytes()[0] & 0xFEU) == 0xFC;
  const std::uint32_t v4 = ip.v4();
  return (v4 >> 24) == 10 || (v4 >> 20) == 0xAC1 || (v4 >> 16) == 0xC0A8 || (v4 >> 16) == 0xA9FE;
}

}  // namespace jostle::lan
