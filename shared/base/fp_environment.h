#pragma once

namespace jostle::base {

/// The floating-point mode of the simulation, set for this thread during the lifetime of the
/// object: round to nearest, keep subnormals, no traps. On processors other than x86 and AArch64
/// only the rounding is set. The destructor restores the previous mode. World::step creates one, so
/// that a library that changed the mode cannot change the results.
class FpEnvironment {
 public:
  FpEnvironment();
  ~FpEnvironment();
  FpEnvironment(const FpEnvironment&) = delete;
  FpEnvironment& operator=(const FpEnvironment&) = delete;

 private:
  unsigned long long saved_ = 0;
};

}  // namespace jostle::base
