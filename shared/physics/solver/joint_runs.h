#pragma once

#include "shared/physics/solver/joint_solver.h"
#include "shared/physics/solver/kernels/joint_view.h"

#include <cstdint>

namespace jostle::physics {

// Functions that run the joint kernels over a cluster, on any number of threads with equal results.

/// One kernel for each class of joints.
using JointClassKernels = const JointKernel (&)[joint_class_count];

JointView make_joint_view(Cluster& cluster);
/// Runs a kernel over all blocks of jointed bodies.
void run_bodies(Cluster& cluster, const JointView& view, JointKernel kernel);
/// Runs kernels over all joints, in any order.
void run_all(Cluster& cluster, const JointView& view, JointClassKernels kernels);
/// Run kernels over all joints, one colour after the other: run_forward in ascending order of
/// colours, run_backward in descending order.
void run_forward(Cluster& cluster, const JointView& view, JointClassKernels kernels);
void run_backward(Cluster& cluster, const JointView& view, JointClassKernels kernels);

}  // namespace jostle::physics
