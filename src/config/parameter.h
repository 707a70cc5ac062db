// Typed parameters with descriptors. A component describes its settings once; reading, validation,
// `heddle describe` and the documentation follow from the description.
//
//   struct DramConfig {
//       static constexpr std::string_view kSection = "dram";
//       std::uint64_t banks = 8;
//       static std::span<const config::Parameter<DramConfig>> parameters();
//   };
//   HEDDLE_CONFIG_SECTION(DramConfig, "main memory of the SM");   // in dram.cpp, once
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/source.h"

namespace heddle::config {

template <class S>
using Member = std::variant<std::uint64_t S::*, double S::*, bool S::*, std::string S::*>;

template <class S>
struct Parameter {
    std::string_view name;   // key inside the section
    Member<S> member;
    std::string_view unit;   // "bytes" (values may say KiB, MiB, GiB), "cycles", "lanes", ...; "" when it has none
    std::string_view range;  // "1..64", "power of two 32..1024", "a|b|c" for names; "" when anything goes;
                             // "formation" / "scheduler": a name in that registry
    std::string_view meaning;
    std::string_view source; // "LWM11 Table 1", "assumed: ..."
};

// What every section tells about itself, without its type. Filled by HEDDLE_CONFIG_SECTION.
struct ParameterInfo {
    std::string name, type, unit, default_value, range, meaning, source; // type: integer, real, boolean, text
};
struct SectionInfo {
    std::string name, meaning;
    std::vector<ParameterInfo> parameters;
};
[[nodiscard]] const std::map<std::string, SectionInfo, std::less<>>& sections();

// A resolved machine: the value of every parameter of every section and where it came from.
struct Value {
    std::string text;        // canonical: integers in decimal, booleans true/false
    std::string origin;      // "default", "machines/lwm11.toml:12", "command line"
};

class Machine {
public:
    // A shipped machine by name, or a TOML file by path; then `key=value` overrides ("dcache.size=32KiB") in order.
    // Throws UserError with every problem found: unknown keys with the nearest known one, bad values, ranges.
    static Machine load(std::string_view name_or_path, std::span<const std::string> overrides);

    template <class S>
    [[nodiscard]] S get() const; // the component's struct, filled

    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] const std::map<std::string, Value, std::less<>>& values() const; // by dotted key
    [[nodiscard]] std::string to_toml() const; // complete, commented: a file to start from

private:
    std::string name_;
    std::map<std::string, Value, std::less<>> values_;
};

// Names of the shipped machines, sorted.
[[nodiscard]] std::vector<std::string> machine_names();

} // namespace heddle::config
