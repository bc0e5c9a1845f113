#pragma once

namespace jostle::base {

/// For its lifetime, this thread's floating point rounds to nearest, keeps subnormals and raises no
/// traps; what the host program had set comes back at the end. World::step opens one, so that a
/// library that changed the mode behind our back cannot reach results.
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
