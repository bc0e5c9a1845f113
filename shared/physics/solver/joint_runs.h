#pragma once

#include "shared/physics/solver/joint_solver.h"
#include "shared/physics/solver/kernels/joint_view.h"

#include <cstdint>

namespace jostle::physics {

// How the kernels of joints run over a cluster. Which threads take part reaches no result.

/// One kernel for each class of joints.
using JointClassKernels = const JointKernel (&)[joint_class_count];

JointView make_joint_view(Cluster& cluster);
/// Over the blocks of jointed bodies.
void run_bodies(Cluster& cluster, const JointView& view, JointKernel kernel);
/// Over all joints, in any order.
void run_all(Cluster& cluster, const JointView& view, JointClassKernels kernels);
/// Over all joints, one colour after the other.
void run_forward(Cluster& cluster, const JointView& view, JointClassKernels kernels);
void run_backward(Cluster& cluster, const JointView& view, JointClassKernels kernels);

}  // namespace jostle::physics
