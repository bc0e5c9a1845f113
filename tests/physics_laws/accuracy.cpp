// Prints the text of docs/ACCURACY.md.
#include "tests/physics_laws/table.h"

#include <cstdio>

int main() {
  std::fputs(jostle::physics::laws::accuracy_page().c_str(), stdout);
  return 0;
}
