// Typed parameters with descriptors. A component describes its settings once; reading, validation,
// `heddle describe` and the documentation follow from the description.
//
//   struct DramConfig {
//       static constexpr std::string_view kSection = "dram";
//       std::uint64_t banks = 8;
//       static std::span<const config::Parameter<DramConfig>> parameters();
//   };
//   HEDDLE_CONFIG_SECTION(DramConfig, "main memory of the SM")   // in dram.cpp, once, outside every namespace
//
// A struct whose settings must agree with each other also has `std::vector<std::string> problems() const`: one message
// for each disagreement, empty when all is well; or problems(const config::Machine&), where they must agree with those
// of other sections. A message names the settings it is about ("dram.banks"), and is printed with the places of these
// settings.
//
// A struct with `kFamily` in the place of `kSection` describes sections of which a machine declares any number:
// kFamily = "pipe" stands for [pipe.sp], [pipe.sfu], ... Its rules are a static problems(const config::Machine&).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/source.h"

namespace heddle::config {

template <class S>
using Member = std::variant<std::uint64_t S::*, double S::*, bool S::*, std::string S::*>;

template <class S>
struct Parameter {
    std::string_view name; // key inside the section
    Member<S> member;
    std::string_view unit;  // "bytes" (values may say KiB, MiB, GiB), "cycles", "lanes", ...; "" when it has none
    std::string_view range; // see config/range.h: "1..64", "power of two 32..1024", "0|4..64", "a|b|c" for names;
                            // "formation" / "scheduler": a name in that registry; "" for any value
    std::string_view meaning;
    std::string_view source; // "LWM11 Table 1", "assumed: ..."
};

enum class Type { Integer, Real, Boolean, Text };
[[nodiscard]] std::string_view type_name(Type);

// The description of a section, without its type. Filled by HEDDLE_CONFIG_SECTION.
struct ParameterInfo {
    std::string name;
    Type type = Type::Text;
    std::string unit, default_value, range, meaning, source;
};
class Machine;
struct SectionInfo {
    std::string name, meaning;
    std::vector<ParameterInfo> parameters;                          // in the order of the descriptor table
    std::vector<std::string> (*problems)(const Machine&) = nullptr; // the struct's problems(), null when it has none
    // Machines lack the section, and use its defaults, unless a key of it is set: `static constexpr bool kOptional =
    // true` in its struct.
    bool optional = false;
    // Describes each section [name.MEMBER]; a machine has the members that it declares.
    bool family = false;
};
[[nodiscard]] const std::map<std::string, SectionInfo, std::less<>>& sections();

// By the name of a section, a member of a family included ("dram", "pipe.sp"); null when there is none.
[[nodiscard]] const SectionInfo* find_section(std::string_view name);
// By dotted key ("dram.banks", "pipe.sp.width"); null when there is none.
[[nodiscard]] const ParameterInfo* find_parameter(std::string_view key);

// The dotted keys of all sections, for suggestions; of families, the keys of `section` alone where it is a member.
[[nodiscard]] std::vector<std::string> parameter_keys(std::string_view section);

// Throws std::logic_error when the section or a key in it is described twice, a range cannot be read, or a default is
// outside its range.
void register_section(SectionInfo);

// Supplies the valid names for ranges that say `kind`. Throws std::logic_error when the kind has a supplier already.
void register_choices(std::string kind, std::vector<std::string> (*names)());
// The names of a kind; empty when nothing supplies them.
[[nodiscard]] std::vector<std::string> choices(std::string_view kind);

// A resolved machine: the value of every parameter of every section of the machine, with its source.
struct Value {
    std::string text;   // canonical: integers in decimal, booleans true/false, reals in their shortest form
    std::string origin; // "default", "machines/lwm11.toml:12" (a shipped file), "my.toml:3", "command line"
};

class Machine {
public:
    // A shipped machine by name, or a TOML file by path; then `key=value` overrides ("dcache.size=32KiB") in order.
    // Throws UserError with every problem found: unknown keys with the nearest known one, bad values, ranges.
    static Machine load(std::string_view name_or_path, std::span<const std::string> overrides);

    // No file: the defaults of the sections that this program links, then overrides. For tests of single components,
    // which lack sections that the shipped files set, and to know what a file leaves as it is.
    static Machine defaults(std::span<const std::string> overrides);

    // The component's struct, filled. Throws std::logic_error when its section is not linked into the program.
    template <class S>
    [[nodiscard]] S get() const {
        return read<S>(S::kSection);
    }
    // The struct of a member of a family.
    template <class S>
    [[nodiscard]] S get(std::string_view member) const {
        return read<S>(std::string(S::kFamily) + "." + std::string(member));
    }
    // The members of a family, in the order in which files, a base first, and then overrides declare them.
    [[nodiscard]] std::vector<std::string> members(std::string_view family) const;

    [[nodiscard]] const std::string& name() const {
        return name_;
    }
    [[nodiscard]] const std::string& description() const {
        return description_;
    }
    // In which the product that the file describes came out; 0: the file describes none. A base's year is not taken.
    [[nodiscard]] unsigned year() const {
        return year_;
    }
    // By dotted key.
    [[nodiscard]] const std::map<std::string, Value, std::less<>>& values() const {
        return values_;
    }
    [[nodiscard]] std::string to_toml() const; // complete, commented: a file to start from

private:
    friend class Loader;
    friend class MachineVariants;
    [[nodiscard]] const std::string& text_of(std::string_view section, std::string_view key) const;
    template <class S>
    [[nodiscard]] S read(std::string_view section) const;

    std::string name_, description_;
    unsigned year_ = 0;
    std::map<std::string, Value, std::less<>> values_;
    std::vector<std::string> declared_;                   // sections of families, in order
    std::set<std::string, std::less<>>* reads_ = nullptr; // where to note what a rule reads; null: nowhere
};

// Names of the shipped machines, sorted.
[[nodiscard]] std::vector<std::string> machine_names();

// The machine of a run that names none: of the shipped machines that describe a product, which say its `year`, the
// newest one.
[[nodiscard]] std::string default_machine();

// From here on: how the templates above work.

void assign(std::uint64_t& to, const std::string& canonical);
void assign(double& to, const std::string& canonical);
void assign(bool& to, const std::string& canonical);
void assign(std::string& to, const std::string& canonical);
[[nodiscard]] std::string canonical(std::uint64_t);
[[nodiscard]] std::string canonical(double);
[[nodiscard]] std::string canonical(bool);
[[nodiscard]] std::string canonical(const std::string&);

template <class S>
S Machine::read(std::string_view section) const {
    S out;
    for (const Parameter<S>& parameter : S::parameters())
        std::visit([&](auto member) { assign(out.*member, text_of(section, parameter.name)); }, parameter.member);
    return out;
}

template <class S>
SectionInfo describe_section(std::string_view meaning) {
    static constexpr Type kTypes[] = {Type::Integer, Type::Real, Type::Boolean, Type::Text}; // by index in Member
    SectionInfo info{{}, std::string(meaning), {}};
    if constexpr (requires { S::kFamily; }) {
        info.name = S::kFamily;
        info.family = true;
    } else {
        info.name = S::kSection;
    }
    const S defaults{};
    for (const Parameter<S>& p : S::parameters()) {
        std::string value = std::visit([&](auto member) { return canonical(defaults.*member); }, p.member);
        info.parameters.push_back({std::string(p.name), kTypes[p.member.index()], std::string(p.unit), std::move(value),
                                   std::string(p.range), std::string(p.meaning), std::string(p.source)});
    }
    if constexpr (requires { S::kOptional; })
        info.optional = S::kOptional;
    if constexpr (requires { S::kFamily; })
        info.problems = &S::problems;
    else if constexpr (requires(const S& s) { s.problems(); })
        info.problems = [](const Machine& machine) { return machine.get<S>().problems(); };
    else if constexpr (requires(const S& s, const Machine& m) { s.problems(m); })
        info.problems = [](const Machine& machine) { return machine.get<S>().problems(machine); };
    return info;
}

template <class S>
struct SectionRegistration {
    explicit SectionRegistration(std::string_view meaning) {
        register_section(describe_section<S>(meaning));
    }
};

} // namespace heddle::config

#define HEDDLE_CONFIG_JOIN2(a, b) a##b
#define HEDDLE_CONFIG_JOIN(a, b) HEDDLE_CONFIG_JOIN2(a, b)
#define HEDDLE_CONFIG_SECTION(Struct, meaning)                                                                         \
    namespace {                                                                                                        \
    const ::heddle::config::SectionRegistration<Struct> HEDDLE_CONFIG_JOIN(heddle_section_, __LINE__){meaning};        \
    }
