#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  tabletop::fuzz::Input input(bytes, size);
  tabletop::fuzz::try_input(input);
  return 0;
}
