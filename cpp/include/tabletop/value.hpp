// The values that cross the edge: options and positions as nested lists and dictionaries.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tabletop {

// What JSON can say, without fractions. A dictionary keeps the order of its keys.
class Value {
 public:
  using List = std::vector<Value>;
  using Entry = std::pair<std::string, Value>;
  using Dict = std::vector<Entry>;

  Value() = default;  // null
  // NOLINTBEGIN(misc-explicit-constructor): what a value can hold is a value
  Value(bool flag) : kind_(Kind::kFlag), flag_(flag) {}
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  Value(Integer number) : kind_(Kind::kInteger), integer_(static_cast<std::int64_t>(number)) {}
  Value(std::string text) : kind_(Kind::kText), text_(std::move(text)) {}
  Value(std::string_view text) : Value(std::string(text)) {}
  Value(const char* text) : Value(std::string(text)) {}
  Value(List list) : kind_(Kind::kList), list_(std::move(list)) {}
  Value(Dict dict) : kind_(Kind::kDict), dict_(std::move(dict)) {}
  // NOLINTEND(misc-explicit-constructor)

  [[nodiscard]] bool is_null() const { return kind_ == Kind::kNull; }
  // Null pointers where the value is of another kind.
  [[nodiscard]] const bool* flag() const { return kind_ == Kind::kFlag ? &flag_ : nullptr; }
  [[nodiscard]] const std::int64_t* integer() const {
    return kind_ == Kind::kInteger ? &integer_ : nullptr;
  }
  [[nodiscard]] const std::string* text() const { return kind_ == Kind::kText ? &text_ : nullptr; }
  [[nodiscard]] const List* list() const { return kind_ == Kind::kList ? &list_ : nullptr; }
  [[nodiscard]] const Dict* dict() const { return kind_ == Kind::kDict ? &dict_ : nullptr; }

  friend bool operator==(const Value&, const Value&) = default;

 private:
  enum class Kind : std::uint8_t { kNull, kFlag, kInteger, kText, kList, kDict };

  // All kinds side by side: GCC 12 warns of its own std::variant when that is moved.
  Kind kind_ = Kind::kNull;
  bool flag_ = false;
  std::int64_t integer_ = 0;
  std::string text_;
  List list_;
  Dict dict_;
};

// A list of integers (or of anything that a Value can be made of).
template <class Range>
Value::List list_of(const Range& range) {
  Value::List list;
  for (const auto& item : range) list.emplace_back(item);
  return list;
}

// Texts of games are ASCII; any other byte can only stand in an error message, as a question mark.
inline void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    out += byte < 0x20 || byte > 0x7E ? '?' : c;
  }
  out += '"';
}

struct Words {
  const char* none;
  const char* yes;
  const char* no;
};
inline constexpr Words kJsonWords{"null", "true", "false"}, kPythonWords{"None", "True", "False"};

// JSON on one line, with ", " and ": " between the parts.
inline void append_json(const Value& value, std::string& out, const Words& words) {
  if (value.is_null()) {
    out += words.none;
  } else if (const bool* flag = value.flag()) {
    out += *flag ? words.yes : words.no;
  } else if (const std::int64_t* integer = value.integer()) {
    out += std::to_string(*integer);
  } else if (const std::string* text = value.text()) {
    append_json_string(*text, out);
  } else if (const Value::List* list = value.list()) {
    out += '[';
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (i > 0) out += ", ";
      append_json((*list)[i], out, words);
    }
    out += ']';
  } else {
    out += '{';
    bool first = true;
    for (const auto& [key, item] : *value.dict()) {
      if (!first) out += ", ";
      first = false;
      append_json_string(key, out);
      out += ": ";
      append_json(item, out, words);
    }
    out += '}';
  }
}

inline std::string to_json(const Value& value) {
  std::string out;
  append_json(value, out, kJsonWords);
  return out;
}

// A value as part of a sentence: in the words of Python, and short enough to read.
inline std::string shown(const Value& value) {
  std::string text;
  append_json(value, text, kPythonWords);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

}  // namespace tabletop
