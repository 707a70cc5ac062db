#include "ir/isa/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/isa/forms.h"
#include "ir/isa/opcode.h"

namespace heddle::ir {

namespace {

constexpr std::string_view kHead = R"(# The instructions of PTX

This page is the output of `heddle describe ptx-isa`. It has every instruction of PTX 9.0 and its state:

| state | meaning |
| --- | --- |
| executed | the forms of [this table](#executed) are executed; any other form is an error at its column |
| refused | the text is read, and a launch of a kernel with [the instruction](#refused) or [the modifier](#refused-modifiers) is an error |
| unknown | a name that stands in none of the tables is no instruction of PTX 9.0: an error at its column |

## Executed

A row is a form: its type, for some instructions a second type, modifiers of which one is required, and modifiers that may
stand in addition, one of each group. Some combinations of a row are errors with a message (f16 is rounded by .rn alone).
Instructions without a form in the table have modifiers of another kind; [cuda-support.md](cuda-support.md) and
[ptx-acceptance.md](ptx-acceptance.md) describe them.

| instruction | meaning | types | second type | required | optional |
| --- | --- | --- | --- | --- | --- |
)";

// A bar would end the cell of a table.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text)
        out.append(c == '|' ? "\\" : "").push_back(c);
    return out;
}

std::string code(const std::string& text) {
    return text.empty() ? text : fmt::format("`{}`", text);
}

// The members of each group of a set, the groups parted by semicolons.
std::string optional_text(Groups groups) {
    std::string text;
    for (Groups rest = groups; rest != 0; rest &= rest - 1)
        text.append(text.empty() ? "" : "; ").append(members_of(rest & (~rest + 1)));
    return text;
}

std::string required_text(const Form& form) {
    std::string text;
    for (const Groups set : {form.required, form.also})
        if (set != 0)
            text.append(text.empty() ? "" : "; ").append(members_of(set));
    return text;
}

std::string executed_rows() {
    std::string text;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Opcode::kCount); ++i) {
        const OpcodeInfo& row = info(static_cast<Opcode>(i));
        if (!row.executable || row.name.find('(') != std::string_view::npos)
            continue;
        std::string begin = fmt::format("| `{}` | {} |", row.name, cell(row.meaning));
        for (const Form& form : forms_of(static_cast<Opcode>(i))) {
            text +=
                fmt::format("{} {} | {} | {} | {} |\n", begin, code(names_of(form.types)), code(names_of(form.from)),
                            required_text(form), optional_text(form.allowed & ~form.required & ~form.also));
            begin = "| | |";
        }
        if (forms_of(static_cast<Opcode>(i)).empty())
            text += begin + " | | | |\n";
    }
    return text;
}

std::string refused_rows(std::span<const Refusal> refusals, std::string_view dot) {
    std::string text = "| name | what it needs |\n| --- | --- |\n";
    for (const Refusal& r : refusals)
        text += fmt::format("| `{}{}` | {} |\n", dot, r.name, cell(r.reason));
    return text;
}

} // namespace

std::string_view reason_of_refusal(std::string_view instruction) {
    for (const Refusal& r : refused_opcodes()) // the name of one may hold a dot
        if (instruction.substr(0, instruction.find('.', r.name.size())) == r.name)
            return r.reason;
    for (std::size_t begin = 0; begin < instruction.size();) {
        const std::size_t end = std::min(instruction.find('.', begin), instruction.size());
        const std::string_view word = instruction.substr(begin, end - begin);
        for (const Refusal& r : refused_modifiers())
            if (r.name == word)
                return r.reason;
        begin = end + 1;
    }
    return {};
}

std::string isa_page() {
    return fmt::format("{}{}\n## Refused\n\n{}\n## Refused modifiers\n\n{}", kHead, executed_rows(),
                       refused_rows(refused_opcodes(), ""), refused_rows(refused_modifiers(), "."));
}

} // namespace heddle::ir
