// The test runner of the C++ tests, small so that they need nothing but a compiler. Every
// test_*.cpp is one executable:
//
//   #include "check.hpp"
//
//   TABLETOP_TEST(below_stays_in_range) {
//     TABLETOP_CHECK(rng.below(6) < 6);
//     TABLETOP_CHECK_EQUAL(rng.below(1), 0);
//     TABLETOP_CHECK_THROWS(std::invalid_argument, Indigo({.players = 5}));
//   }
//
//   int main() { return tabletop::test::run(); }
//
// A failed check is printed and counted, and the test goes on.
#pragma once

#include <cstdio>
#include <exception>
#include <ranges>
#include <source_location>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tabletop::test {

struct TestCase {
  const char* name;
  void (*body)();
};

inline std::vector<TestCase>& test_cases() {
  static std::vector<TestCase> cases;
  return cases;
}

inline int failures = 0;

struct Registration {
  Registration(const char* name, void (*body)()) { test_cases().push_back({name, body}); }
};

inline void fail(const std::string& message, const std::source_location& where) {
  ++failures;
  std::printf("%s:%u: %s\n", where.file_name(), static_cast<unsigned>(where.line()),
              message.c_str());
}

// Small integers and enums as numbers, ranges element by element.
template <typename Value>
std::string text_of(const Value& value) {
  std::ostringstream out;
  if constexpr (std::is_same_v<Value, bool>) {
    out << (value ? "true" : "false");
  } else if constexpr (std::is_enum_v<Value>) {
    out << +static_cast<std::underlying_type_t<Value>>(value);
  } else if constexpr (std::is_integral_v<Value>) {
    out << +value;
  } else if constexpr (requires { out << value; }) {
    out << value;
  } else if constexpr (std::ranges::range<Value>) {
    out << '[';
    const char* separator = "";
    for (const auto& element : value) {
      out << std::exchange(separator, ", ") << text_of(element);
    }
    out << ']';
  } else {
    out << "(a value without a text)";
  }
  return out.str();
}

// Integers compare by value, whatever their signs and widths.
template <typename Left, typename Right>
bool equal(const Left& left, const Right& right) {
  constexpr bool kNumbers = std::is_integral_v<Left> && std::is_integral_v<Right> &&
                            !std::is_same_v<Left, bool> && !std::is_same_v<Right, bool>;
  if constexpr (kNumbers) {
    return std::cmp_equal(+left, +right);
  } else {
    return left == right;
  }
}

inline void check(bool holds, const char* text,
                  const std::source_location& where = std::source_location::current()) {
  if (!holds) {
    fail(std::string("not true: ") + text, where);
  }
}

template <typename Actual, typename Expected>
void check_equal(const Actual& actual, const Expected& expected, const char* text,
                 const std::source_location& where = std::source_location::current()) {
  if (!equal(actual, expected)) {
    fail(std::string(text) + " is " + text_of(actual) + ", not " + text_of(expected), where);
  }
}

template <typename Exception, typename Call>
void check_throws(const Call& call, const char* text,
                  const std::source_location& where = std::source_location::current()) {
  try {
    call();
  } catch (const Exception&) {
    return;
  }
  fail(std::string("did not throw: ") + text, where);
}

// Runs every test of this executable; what main() returns.
inline int run() {
  for (const TestCase& test_case : test_cases()) {
    const int before = failures;
    try {
      test_case.body();
    } catch (const std::exception& error) {
      ++failures;
      std::printf("uncaught exception: %s\n", error.what());
    }
    std::printf("%s %s\n", failures == before ? "ok    " : "FAILED", test_case.name);
  }
  if (test_cases().empty()) {
    std::printf("no test ran\n");
    return 1;
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace tabletop::test

#define TABLETOP_TEST(name)                                                                \
  static void test_##name();                                                               \
  static const ::tabletop::test::Registration registration_of_##name(#name, &test_##name); \
  static void test_##name()

// Variadic, so that commas within braces or angle brackets do not split the argument.
#define TABLETOP_CHECK(...) ::tabletop::test::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__)
#define TABLETOP_CHECK_EQUAL(actual, ...) \
  ::tabletop::test::check_equal(actual, __VA_ARGS__, #actual)
#define TABLETOP_CHECK_THROWS(exception, ...) \
  ::tabletop::test::check_throws<exception>([&] { static_cast<void>(__VA_ARGS__); }, #__VA_ARGS__)
