#pragma once

#include "server/server.h"
#include "server/tick_loop.h"
#include "shared/gate_link/gate_transport.h"
#include "shared/net/enet_transport.h"

namespace jostle::server {

/// Prints the final statistics of `jostled`: ticks, bytes by kind of message, rejected clients and
/// datagrams, and the hash of the last state.
void print_summary(const Server& server, const TickLoop& loop, const net::EnetTransport& transport,
                   const sim::Simulation& simulation);

/// Prints the final statistics of viewers in browsers.
void print_web_summary(const gate_link::GateTransport& viewers);

}  // namespace jostle::server
