#pragma once
/// \file  As much of JSON Schema (draft 2020-12) as docs/agent.schema.json uses; a word of it that is not
/// known here fails the test.
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/catch.hpp"

class JsonSchema {
 public:
  using Json = nlohmann::json;
  explicit JsonSchema(Json schema) : root_(std::move(schema)) {}

  /// Does the value agree with "#/$defs/NAME"?
  bool allows(const Json& value, const std::string& definition) const {
    return agrees(value, root_.at("$defs").at(definition));
  }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number() && std::floor(value.get<double>()) == value.get<double>();
    FAIL("type " << type);
    return false;
  }

  bool agrees(const Json& value, const Json& schema) const {
    if (schema.is_boolean()) return schema.get<bool>();
    for (const auto& [word, said] : schema.items())
      if (!agrees(value, schema, word, said)) return false;
    return true;
  }

  bool agrees(const Json& value, const Json& schema, const std::string& word, const Json& said) const {
    static const std::set<std::string> notes{"description", "default", "contentEncoding"};
    if (word == "type") return has_type(value, said);
    if (word == "const") return value == said;
    if (word == "enum") return std::find(said.begin(), said.end(), value) != said.end();
    if (word == "$ref") return agrees(value, root_.at(Json::json_pointer(said.get<std::string>().substr(1))));
    if (word == "oneOf")
      return std::count_if(said.begin(), said.end(), [&](const Json& one) { return agrees(value, one); }) ==
             1;
    if (word == "minimum") return !value.is_number() || value >= said;
    if (word == "maximum") return !value.is_number() || value <= said;
    if (word == "exclusiveMinimum") return !value.is_number() || value > said;
    if (word == "exclusiveMaximum") return !value.is_number() || value < said;
    if (word == "minItems") return !value.is_array() || value.size() >= said;
    if (word == "maxItems") return !value.is_array() || value.size() <= said;
    if (word == "required")
      return !value.is_object() || std::all_of(said.begin(), said.end(), [&](const Json& key) {
        return value.contains(key.get<std::string>());
      });
    if (word == "additionalProperties" || word == "properties") {
      if (!value.is_object()) return true;
      static const Json none = Json::object();
      const Json& known = schema.contains("properties") ? schema.at("properties") : none;
      for (const auto& [key, member] : value.items()) {
        if (known.contains(key) ? word == "properties" && !agrees(member, known.at(key))
                                : word == "additionalProperties" && !agrees(member, said))
          return false;
      }
      return true;
    }
    if (word == "items" || word == "prefixItems") {
      if (!value.is_array()) return true;
      const std::size_t first = schema.contains("prefixItems") ? schema.at("prefixItems").size() : 0;
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (i < first ? word == "prefixItems" && !agrees(value[i], said[i])
                      : word == "items" && !agrees(value[i], said))
          return false;
      }
      return true;
    }
    if (!notes.contains(word)) FAIL("the schema says " << word << ", which the tests do not know");
    return true;
  }

  Json root_;
};
