#pragma once

#include "client/app/options.h"
#include "client/render/camera.h"
#include "protocol/messages.h"

namespace jostle::client_app {

/// What a server is told of a view: it looks through the cone around the picture.
protocol::SetInterest interest_in(const render::View& view, render::Size size,
                                  const Options& options);
/// Without a picture: how far from the origin, and how much.
protocol::SetInterest interest_without_view(const Options& options);

}  // namespace jostle::client_app
