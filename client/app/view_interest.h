#pragma once

#include "client/app/options.h"
#include "client/render/camera.h"
#include "protocol/messages.h"

namespace jostle::client_app {

/// Returns the interest of a camera: the cone that contains its picture, and the limits of the
/// options.
protocol::SetInterest interest_in(const render::View& view, render::Size size,
                                  const Options& options);
/// Returns the interest without a camera: the limits of the options, around the origin.
protocol::SetInterest interest_without_view(const Options& options);

}  // namespace jostle::client_app
