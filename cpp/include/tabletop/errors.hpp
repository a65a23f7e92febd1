// Exceptions of the edge: options, positions and ids that come from outside. Nothing in a hot loop
// throws.
#pragma once

#include <stdexcept>

namespace tabletop {

// Each message is a full sentence: the value, the place and what would be right.
struct OptionError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct UnknownGameError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct IllegalActionError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct PositionError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct ArgumentError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace tabletop
