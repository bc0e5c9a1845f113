#pragma once

#include "shared/lan/lan_wire.h"

#include <cstddef>
#include <string>

namespace jostle::lan {

inline ServerInfo sample_server_info(const std::string& name = "Ann's") {
  ServerInfo facts{
      .port = 7777,
      .access = secure::AccessMode::Token,
      .protocol_version = {.sealing = 1, .major = 1, .minor = 2, .schema = 3, .priors = 4},
      .players = 3,
      .places = 16,
      .name = name,
      .scene = "crates"};
  for (std::size_t i = 0; i < facts.key.size(); ++i)
    facts.key[i] = static_cast<std::byte>(i);
  return facts;
}

}  // namespace jostle::lan
