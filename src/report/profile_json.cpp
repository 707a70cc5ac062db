#include "report/profile_json.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

// --- Writing ---

std::string dumped(const Json& json) { // texts of source files may have any bytes
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Elements on lines of their own: "[\n" ... "]".
std::string list_lines(const std::vector<std::string>& elements, std::string_view indent) {
    if (elements.empty())
        return "[]";
    std::string out;
    for (const std::string& element : elements)
        out += fmt::format("{}{}  {}", out.empty() ? "[\n" : ",\n", indent, element);
    return fmt::format("{}\n{}]", out, indent);
}

Json line_json(SourceLine line) {
    return {line.file, line.line};
}

Json instruction_json(const ProfiledInstruction& instruction) {
    Json lines = Json::array(), counters = Json::object(), stalls = Json::array();
    for (const SourceLine& line : instruction.lines)
        lines.push_back(line_json(line));
    for (std::size_t i = 0; i < probe::kCounters; ++i)
        if (instruction.counters[i] != 0)
            counters[std::string(probe::kCounterInfo[i].name)] = instruction.counters[i];
    for (const ProfiledStall& stall : instruction.stalls) {
        stalls.push_back({{"cause", stall.cause}, {"slots", stall.slots}});
        if (stall.producer)
            stalls.back()["producer"] = *stall.producer;
    }
    Json out = {{"pc", instruction.pc},
                {"text", instruction.text},
                {"function", instruction.function},
                {"ptx", line_json(instruction.ptx)},
                {"lines", lines}};
    if (!instruction.inlined.empty())
        out["inlined"] = instruction.inlined;
    out["counters"] = counters;
    out["stalls"] = stalls;
    return out;
}

std::string kernel_lines(const ProfiledKernel& kernel) {
    Json elsewhere = Json::object();
    for (const auto& [cause, slots] : kernel.elsewhere)
        elsewhere[cause] = slots;
    std::vector<std::string> instructions;
    for (const ProfiledInstruction& instruction : kernel.instructions)
        instructions.push_back(dumped(instruction_json(instruction)));
    return fmt::format(R"({{"name": {}, "launches": {}, "timed": {}, "elsewhere": {}, "instructions": {}}})",
                       dumped(kernel.name), kernel.launches, kernel.timed, dumped(elsewhere),
                       list_lines(instructions, "      "));
}

// --- Reading ---

// A value of the document with its place, for messages.
class Value {
public:
    Value(const Json& json, std::string_view name) : json_(json), name_(name) {}

    [[noreturn]] void fail(std::string_view complaint) const {
        throw UserError(fmt::format("{} {}", path(), complaint));
    }

    [[nodiscard]] Value at(std::string_view key) const {
        if (!json_.is_object())
            fail("must be an object");
        const auto found = json_.find(std::string(key));
        if (found == json_.end())
            fail(fmt::format("has no '{}'", key));
        return {*found, this, key, 0};
    }
    [[nodiscard]] bool has(std::string_view key) const {
        return json_.is_object() && json_.contains(std::string(key));
    }
    // Calls `use` with each element of a list.
    template <typename Use>
    void each(Use use) const {
        if (!json_.is_array())
            fail("must be a list");
        for (std::size_t i = 0; i < json_.size(); ++i)
            use(Value(json_[i], this, "", i));
    }
    // Calls `use` with the name and the value of each member.
    template <typename Use>
    void each_member(Use use) const {
        if (!json_.is_object())
            fail("must be an object");
        for (const auto& [key, value] : json_.items())
            use(key, Value(value, this, key, 0));
    }

    // A whole number below `end`.
    [[nodiscard]] std::uint64_t number(std::uint64_t end = std::numeric_limits<std::uint64_t>::max()) const {
        if (!json_.is_number_unsigned())
            fail("must be a whole number");
        if (json_.get<std::uint64_t>() >= end)
            fail(fmt::format("must be less than {}", end));
        return json_.get<std::uint64_t>();
    }
    [[nodiscard]] std::uint32_t small_number(std::uint64_t end = std::uint64_t{1} << 32U) const {
        return static_cast<std::uint32_t>(number(end));
    }
    [[nodiscard]] std::string text() const {
        if (!json_.is_string())
            fail("must be a text");
        return json_.get<std::string>();
    }
    [[nodiscard]] bool flag() const {
        if (!json_.is_boolean())
            fail("must be true or false");
        return json_.get<bool>();
    }

private:
    Value(const Json& json, const Value* parent, std::string_view name, std::size_t index)
        : json_(json), parent_(parent), name_(name), index_(index) {}

    [[nodiscard]] std::string path() const { // "profile.kernels[0].launches"
        if (parent_ == nullptr)
            return std::string(name_);
        return name_.empty() ? fmt::format("{}[{}]", parent_->path(), index_)
                             : fmt::format("{}.{}", parent_->path(), name_);
    }

    const Json& json_;
    const Value* parent_ = nullptr;
    std::string_view name_; // empty: an element of a list
    std::size_t index_ = 0;
};

SourceLine line_of(const Value& value, std::size_t files) {
    std::vector<std::uint32_t> numbers;
    value.each([&](const Value& number) {
        numbers.push_back(numbers.empty() ? number.small_number(files) : number.small_number());
    });
    if (numbers.size() != 2 || numbers[1] == 0)
        value.fail("must be the number of a file and a line from 1");
    return {numbers[0], numbers[1]};
}

probe::Counters counters_of(const Value& value) {
    probe::Counters out{};
    value.each_member([&](const std::string& name, const Value& count) {
        const auto info = std::find_if(probe::kCounterInfo.begin(), probe::kCounterInfo.end(),
                                       [&](const probe::CounterInfo& i) { return i.name == name; });
        if (info == probe::kCounterInfo.end())
            value.fail(fmt::format("has a counter that this version does not know: '{}'", name));
        out[static_cast<std::size_t>(info - probe::kCounterInfo.begin())] = count.number();
    });
    return out;
}

ProfiledInstruction instruction_of(const Value& value, std::size_t files) {
    ProfiledInstruction out;
    out.pc = value.at("pc").small_number();
    out.text = value.at("text").text();
    out.function = value.at("function").text();
    out.ptx = line_of(value.at("ptx"), files);
    value.at("lines").each([&](const Value& line) { out.lines.push_back(line_of(line, files)); });
    if (value.has("inlined")) {
        value.at("inlined").each([&](const Value& name) { out.inlined.push_back(name.text()); });
        if (out.inlined.size() >= std::max<std::size_t>(out.lines.size(), 1))
            value.at("inlined").fail("must be shorter than 'lines'");
    }
    out.counters = counters_of(value.at("counters"));
    value.at("stalls").each([&](const Value& stall) {
        out.stalls.push_back({stall.at("cause").text(), {}, stall.at("slots").number()});
        if (stall.has("producer"))
            out.stalls.back().producer = stall.at("producer").number();
    });
    return out;
}

// Instructions are named by their index, so this needs all of them.
void check_instructions(const ProfiledKernel& kernel, const Value& list) {
    std::size_t at = 0;
    list.each([&](const Value& value) {
        if (at != 0 && kernel.instructions[at].pc <= kernel.instructions[at - 1].pc)
            value.at("pc").fail("must be greater than that of the instruction before");
        value.at("stalls").each([&](const Value& stall) {
            if (stall.has("producer"))
                (void)stall.at("producer").number(kernel.instructions.size());
        });
        ++at;
    });
}

ProfiledKernel kernel_of(const Value& value, std::size_t files) {
    ProfiledKernel out;
    out.name = value.at("name").text();
    out.launches = value.at("launches").number();
    out.timed = value.at("timed").flag();
    value.at("elsewhere").each_member([&](const std::string& cause, const Value& slots) {
        out.elsewhere.emplace_back(cause, slots.number());
    });
    const Value instructions = value.at("instructions");
    instructions.each([&](const Value& i) { out.instructions.push_back(instruction_of(i, files)); });
    check_instructions(out, instructions);
    return out;
}

} // namespace

std::string profile_lines(const Profile& profile) {
    std::vector<std::string> files, kernels;
    for (const ProfiledFile& file : profile.files) {
        Json json = {{"name", file.name}};
        if (file.text)
            json["text"] = *file.text;
        files.push_back(dumped(json));
    }
    for (const ProfiledKernel& kernel : profile.kernels)
        kernels.push_back(kernel_lines(kernel));
    return fmt::format("{{\n    \"width\": {},\n    \"line_bytes\": {},\n    \"files\": {},\n    \"kernels\": {}\n  }}",
                       profile.width, profile.line_bytes, list_lines(files, "    "), list_lines(kernels, "    "));
}

Profile profile_of(const Json& json) {
    const Value value(json, "profile");
    Profile out;
    out.width = value.at("width").small_number();
    if (out.width == 0)
        value.at("width").fail("must be at least 1");
    out.line_bytes = value.at("line_bytes").small_number();
    value.at("files").each([&](const Value& file) {
        out.files.push_back({file.at("name").text(), {}});
        if (file.has("text"))
            out.files.back().text = file.at("text").text();
    });
    value.at("kernels").each([&](const Value& kernel) { out.kernels.push_back(kernel_of(kernel, out.files.size())); });
    return out;
}

} // namespace heddle::report
