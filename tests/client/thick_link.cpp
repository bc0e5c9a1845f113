// A program with a symbol that a thin client must not contain. check_thin_link.sh must find the
// symbol.
namespace jostle::physics {

[[gnu::noinline, gnu::used]] int engine_symbol(int value) {
  return value + 1;
}

}  // namespace jostle::physics

int main(int count, char**) {
  return jostle::physics::engine_symbol(count) == 0;
}
