// A game states each of its options once, in visit_options(); the visitors here read them from
// keywords, write them back and list them for people and tests.
//
//   template <class Visitor>
//   static void visit_options(Visitor& visit, Options& options) {
//     visit.choice("players", options.players, {2, 3, 4}, "Number of seats.");
//     visit.flag("swap_optional", options.swap_optional, "...");
//     visit.integer("max_turns", options.max_turns, 1, 1'000'000, "...", {40});
//   }
//
// The last argument of some calls are samples: values that tests and examples try.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tabletop/errors.hpp"
#include "tabletop/value.hpp"

namespace tabletop {

struct OptionSpec {
  std::string name;
  Value default_value;
  std::string values;  // what is allowed, for people
  Value::List samples;
  std::string meaning;
};

template <class T>
struct Named {
  std::string_view name;
  T value;
};

namespace detail {

inline std::string joined(const Value::List& values) {
  std::string text;
  for (const Value& value : values) {
    if (!text.empty()) text += '|';
    text += value.text() != nullptr ? *value.text() : value.is_null() ? "None" : to_json(value);
  }
  return text;
}

inline Value::List names_of(std::initializer_list<int> values) { return list_of(values); }

template <class T>
Value::List names_of(std::initializer_list<Named<T>> values) {
  Value::List names;
  for (const Named<T>& value : values) names.emplace_back(value.name);
  return names;
}

inline std::string range_text(std::int64_t low, std::int64_t high) {
  return std::to_string(low) + ".." + std::to_string(high);
}

}  // namespace detail

// Fills an Options struct from keywords; what is not given keeps its default.
class OptionReader {
 public:
  OptionReader(std::string_view game, const Value::Dict& given) : game_(game), given_(given) {}

  void choice(std::string_view name, int& option, std::initializer_list<int> allowed,
              std::string_view /*meaning*/) {
    const Value* value = take(name);
    if (value == nullptr) return;
    for (const int one : allowed) {
      if (value->integer() != nullptr && *value->integer() == one) {
        option = one;
        return;
      }
    }
    fail(name, *value, detail::joined(detail::names_of(allowed)));
  }

  template <class T>
  void choice(std::string_view name, T& option, std::initializer_list<Named<T>> allowed,
              std::string_view /*meaning*/) {
    const Value* value = take(name);
    if (value == nullptr) return;
    for (const Named<T>& one : allowed) {
      if (value->text() != nullptr && *value->text() == one.name) {
        option = one.value;
        return;
      }
    }
    fail(name, *value, detail::joined(detail::names_of(allowed)));
  }

  void flag(std::string_view name, bool& option, std::string_view /*meaning*/) {
    const Value* value = take(name);
    if (value == nullptr) return;
    if (value->flag() == nullptr) fail(name, *value, "True or False");
    option = *value->flag();
  }

  void integer(std::string_view name, int& option, int low, int high, std::string_view /*meaning*/,
               std::initializer_list<int> /*samples*/) {
    const Value* value = take(name);
    if (value == nullptr) return;
    if (value->integer() == nullptr || *value->integer() < low || *value->integer() > high) {
      fail(name, *value, "an integer from " + detail::range_text(low, high));
    }
    option = static_cast<int>(*value->integer());
  }

  // None leaves the choice to the game.
  void optional_integer(std::string_view name, std::optional<int>& option, int low, int high,
                        std::string_view /*meaning*/, std::initializer_list<int> /*samples*/) {
    const Value* value = take(name);
    if (value == nullptr || value->is_null()) return;
    if (value->integer() == nullptr || *value->integer() < low || *value->integer() > high) {
      fail(name, *value, "None or an integer from " + detail::range_text(low, high));
    }
    option = static_cast<int>(*value->integer());
  }

  // A value of a shape of its own; the game checks it.
  void value(std::string_view name, Value& option, std::string_view /*values*/,
             std::string_view /*meaning*/, const Value::List& /*samples*/) {
    if (const Value* given = take(name)) option = *given;
  }

  // To be called last: a keyword that no option took is a mistake.
  void finish() const {
    for (const auto& [name, value] : given_) {
      bool known = false;
      for (const std::string_view one : known_) known = known || one == name;
      if (known) continue;
      std::string names;
      for (const std::string_view one : known_) {
        if (!names.empty()) names += ", ";
        names += one;
      }
      throw OptionError("option " + shown(name) + " is unknown to " + game_ + "; its options are " +
                        names);
    }
  }

 private:
  const Value* take(std::string_view name) {
    known_.push_back(name);
    for (const auto& [key, value] : given_) {
      if (key == name) return &value;
    }
    return nullptr;
  }

  [[noreturn]] void fail(std::string_view name, const Value& value,
                         const std::string& right) const {
    throw OptionError("option " + std::string(name) + " of " + game_ + " is " + shown(value) +
                      "; it must be " + right);
  }

  std::string game_;
  const Value::Dict& given_;
  std::vector<std::string_view> known_;
};

// Writes every option with its value.
class OptionWriter {
 public:
  void choice(std::string_view name, int& option, std::initializer_list<int> /*allowed*/,
              std::string_view /*meaning*/) {
    put(name, option);
  }
  template <class T>
  void choice(std::string_view name, T& option, std::initializer_list<Named<T>> allowed,
              std::string_view /*meaning*/) {
    Value written;  // none is allowed to be null, so that a reader refuses what has no name
    for (const Named<T>& one : allowed) {
      if (one.value == option) written = one.name;
    }
    put(name, written);
  }
  void flag(std::string_view name, bool& option, std::string_view /*meaning*/) {
    put(name, option);
  }
  void integer(std::string_view name, int& option, int /*low*/, int /*high*/,
               std::string_view /*meaning*/, std::initializer_list<int> /*samples*/) {
    put(name, option);
  }
  void optional_integer(std::string_view name, std::optional<int>& option, int /*low*/,
                        int /*high*/, std::string_view /*meaning*/,
                        std::initializer_list<int> /*samples*/) {
    put(name, option ? Value(*option) : Value());
  }
  void value(std::string_view name, Value& option, std::string_view /*values*/,
             std::string_view /*meaning*/, const Value::List& /*samples*/) {
    put(name, option);
  }

  Value::Dict options;

 private:
  void put(std::string_view name, Value value) {
    options.emplace_back(std::string(name), std::move(value));
  }
};

// Lists the options, given an Options struct that holds the defaults.
class OptionLister {
 public:
  void choice(std::string_view name, int& option, std::initializer_list<int> allowed,
              std::string_view meaning) {
    const Value::List names = detail::names_of(allowed);
    put(name, option, detail::joined(names), names, meaning);
  }
  template <class T>
  void choice(std::string_view name, T& option, std::initializer_list<Named<T>> allowed,
              std::string_view meaning) {
    Value initial;
    for (const Named<T>& one : allowed) {
      if (one.value == option) initial = one.name;
    }
    const Value::List names = detail::names_of(allowed);
    put(name, initial, detail::joined(names), names, meaning);
  }
  void flag(std::string_view name, bool& option, std::string_view meaning) {
    put(name, option, "True|False", {option, !option}, meaning);
  }
  void integer(std::string_view name, int& option, int low, int high, std::string_view meaning,
               std::initializer_list<int> samples) {
    put(name, option, detail::range_text(low, high), list_of(samples), meaning);
  }
  void optional_integer(std::string_view name, std::optional<int>& option, int low, int high,
                        std::string_view meaning, std::initializer_list<int> samples) {
    put(name, option ? Value(*option) : Value(), "None|" + detail::range_text(low, high),
        list_of(samples), meaning);
  }
  void value(std::string_view name, Value& option, std::string_view values,
             std::string_view meaning, const Value::List& samples) {
    put(name, option, std::string(values), samples, meaning);
  }

  std::vector<OptionSpec> specs;

 private:
  void put(std::string_view name, Value initial, std::string values, Value::List samples,
           std::string_view meaning) {
    specs.push_back({std::string(name), std::move(initial), std::move(values), std::move(samples),
                     std::string(meaning)});
  }
};

// Options made in C++ have to be those that could be given by name: throws OptionError if one is
// out of its range.
template <class G>
typename G::Options checked_options(typename G::Options given) {
  OptionWriter written;
  G::visit_options(written, given);
  OptionReader reader(G::kName, written.options);
  typename G::Options options;
  G::visit_options(reader, options);
  return options;
}

}  // namespace tabletop
