// Reads a position given as a dictionary and says exactly where it is wrong.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "tabletop/errors.hpp"
#include "tabletop/value.hpp"

namespace tabletop {

// A place inside a nested value, with the path that leads there, as in position["tiles"][3].
class DictReader {
 public:
  explicit DictReader(const Value& root) : value_(&root), path_("position") {}

  [[noreturn]] void fail(const std::string& right) const {
    throw PositionError(path_ + " is " + shown(*value_) + "; it must be " + right);
  }

  // Exactly these keys, in any order: a list in braces, or a table of names.
  template <class Names = std::initializer_list<std::string_view>>
  void expect_keys(const Names& keys) const {
    const Value::Dict& dict = entries();
    for (const std::string_view key : keys) (void)at(key);
    for (const auto& [key, value] : dict) {
      bool known = false;
      for (const std::string_view one : keys) known = known || one == key;
      if (!known) throw PositionError(path_ + " has the unknown key " + shown(key));
    }
  }

  [[nodiscard]] DictReader at(std::string_view key) const {
    for (const auto& [name, value] : entries()) {
      if (name == key) return {value, path_ + "[\"" + std::string(key) + "\"]"};
    }
    throw PositionError(path_ + " lacks the key \"" + std::string(key) + "\"");
  }

  [[nodiscard]] DictReader at(int index) const {
    return {items()[static_cast<std::size_t>(index)], path_ + "[" + std::to_string(index) + "]"};
  }

  // The length of a list, which must lie in low..high.
  [[nodiscard]] int length(int low, int high) const {
    const auto size = static_cast<std::int64_t>(items().size());
    if (size < low || size > high) {
      fail(low == high ? "a list of length " + std::to_string(low)
                       : "a list of length " + std::to_string(low) + ".." + std::to_string(high));
    }
    return static_cast<int>(size);
  }

  [[nodiscard]] int integer(std::int64_t low, std::int64_t high) const {
    const std::int64_t* number = value_->integer();
    if (number == nullptr || *number < low || *number > high) {
      fail("an integer from " + std::to_string(low) + ".." + std::to_string(high));
    }
    return static_cast<int>(*number);
  }

  [[nodiscard]] bool flag() const {
    if (value_->flag() == nullptr) fail("True or False");
    return *value_->flag();
  }

  // The index of the text among the allowed ones.
  template <class Names>
  [[nodiscard]] int one_of(const Names& names) const {
    int index = 0;
    std::string right;
    for (const std::string_view name : names) {
      if (value_->text() != nullptr && *value_->text() == name) return index;
      right += (right.empty() ? "\"" : ", \"") + std::string(name) + "\"";
      ++index;
    }
    fail("one of " + right);
  }

  [[nodiscard]] const Value& value() const { return *value_; }

 private:
  DictReader(const Value& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] const Value::Dict& entries() const {
    if (value_->dict() == nullptr) fail("a dict");
    return *value_->dict();
  }
  [[nodiscard]] const Value::List& items() const {
    if (value_->list() == nullptr) fail("a list");
    return *value_->list();
  }

  const Value* value_;
  std::string path_;
};

// Refuses a position, from a dictionary or from bytes, of which a part does not go with the rest:
// `wrong` ends the sentence that begins with the part.
[[noreturn]] inline void refuse(std::string_view key, const std::string& wrong) {
  throw PositionError("position[\"" + std::string(key) + "\"] " + wrong);
}
[[noreturn]] inline void refuse(std::string_view key, int index, const std::string& wrong) {
  throw PositionError("position[\"" + std::string(key) + "\"][" + std::to_string(index) + "] " +
                      wrong);
}

}  // namespace tabletop
