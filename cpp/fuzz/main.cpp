// What libFuzzer does, as far as the tests need it, for compilers without it: replays the files and
// folders that it is given, then, for -max_total_time=SECONDS, inputs made from them at random. An
// input is written to crash-latest before it runs, so the one that stops the process is there.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "fuzz.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;
namespace files = std::filesystem;

constexpr std::size_t kLongest = 512;

Bytes read(const files::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void collect(const files::path& path, std::vector<Bytes>& inputs) {
  if (!files::is_directory(path)) {
    inputs.push_back(read(path));
    return;
  }
  std::vector<files::path> found;
  for (const auto& entry : files::directory_iterator(path)) found.push_back(entry.path());
  std::ranges::sort(found);
  for (const files::path& file : found) inputs.push_back(read(file));
}

// One of the inputs with some bytes set, dropped or added.
Bytes mutated(const std::vector<Bytes>& inputs, tabletop::Rng& rng) {
  Bytes bytes = inputs[rng.below(inputs.size())];
  for (std::uint64_t left = 1 + rng.below(16); left > 0; --left) {
    const auto at = static_cast<std::ptrdiff_t>(rng.below(bytes.size() + 1));
    const auto value = static_cast<std::uint8_t>(rng.below(256));
    const std::uint64_t kind = rng.below(4);
    if (at == std::ssize(bytes) || kind == 0) {
      if (bytes.size() < kLongest) bytes.insert(bytes.begin() + at, value);
    } else if (kind == 1) {
      bytes.erase(bytes.begin() + at);
    } else {
      bytes[static_cast<std::size_t>(at)] = value;
    }
  }
  return bytes;
}

void try_random(const std::vector<Bytes>& inputs, int seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  tabletop::Rng rng(static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()));
  long runs = 0;
  for (; Clock::now() < end; ++runs) {
    const Bytes bytes = mutated(inputs, rng);
    std::ofstream("crash-latest", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  files::remove("crash-latest");
  std::printf("%ld random inputs\n", runs);
}

int run(std::span<char*> arguments) {
  constexpr std::string_view kTime = "-max_total_time=";
  std::vector<Bytes> inputs{{}};
  int seconds = 0;
  for (const std::string_view argument : arguments) {
    if (argument.starts_with(kTime)) {
      const std::string_view number = argument.substr(kTime.size());
      std::from_chars(number.data(), number.data() + number.size(), seconds);
    } else if (!argument.starts_with('-')) {
      collect(argument, inputs);
    }
  }
  for (const Bytes& bytes : inputs) LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  std::printf("%zu inputs\n", inputs.size());
  if (seconds > 0) try_random(inputs, seconds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, static_cast<std::size_t>(argc - 1)});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "uncaught exception: %s\n", error.what());
    std::abort();
  }
}
