#pragma once

#include "shared/physics/solver/joint_solver.h"
#include "shared/physics/solver/kernels/joint_view.h"

#include <cstdint>

namespace jostle::physics {

// Running the kernels of joints over a cluster. Results do not depend on which threads take part.

/// One kernel for each class of joints.
using JointClassKernels = const JointKernel (&)[joint_class_count];

JointView make_joint_view(Cluster& cluster);
/// Runs a kernel over the blocks of jointed bodies.
void run_bodies(Cluster& cluster, const JointView& view, JointKernel kernel);
/// Runs kernels over all joints, in any order.
void run_all(Cluster& cluster, const JointView& view, JointClassKernels kernels);
/// Runs kernels over all joints, one colour after the other; run_backward starts with the last
/// colour.
void run_forward(Cluster& cluster, const JointView& view, JointClassKernels kernels);
void run_backward(Cluster& cluster, const JointView& view, JointClassKernels kernels);

}  // namespace jostle::physics
