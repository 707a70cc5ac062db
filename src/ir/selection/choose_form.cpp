#include "ir/selection/choose_form.h"

#include <bit>
#include <span>
#include <string>

#include <fmt/format.h>

namespace heddle::ir {

namespace {

bool has_types(const Form& form, const Modifiers& modifiers) {
    if ((form.types & set_of(modifiers.types[0])) == 0)
        return false;
    if (form.from == 0)
        return modifiers.type_count <= 1;
    return modifiers.type_count == 2 && (form.from & set_of(modifiers.types[1])) != 0;
}

// The form with the types of the modifiers. Of several, the first that allows the modifiers, else the last.
const Form* find_form(std::span<const Form> forms, const Modifiers& modifiers) {
    const Form* found = nullptr;
    for (const Form& form : forms) {
        if (!has_types(form, modifiers))
            continue;
        found = &form;
        if ((modifiers.present & ~form.allowed) == 0)
            break;
    }
    return found;
}

void report_types(std::span<const Form> forms, const Modifiers& modifiers, Cursor& cursor) {
    TypeSet first = 0;
    for (const Form& form : forms)
        first |= form.types;
    const unsigned wanted = forms.front().from != 0 ? 2 : first == set_of(Type::None) ? 0 : 1;
    if (modifiers.type_count > wanted && wanted < 2)
        cursor.error(fmt::format("'{}' takes {}", cursor.text(), wanted == 0 ? "no type" : "one type"));
    else if (modifiers.type_count < wanted)
        cursor.error(
            fmt::format("'{}' needs {}: {}", cursor.text(), wanted == 2 ? "two types" : "a type", names_of(first)));
    else
        cursor.error(fmt::format("'{}' does not go with the type{}; '{}' takes {}", cursor.text(),
                                 wanted == 2 ? "s" : "", cursor.instruction().opcode, names_of(first)));
}

bool check_groups(const Form& form, const Modifiers& modifiers, Cursor& cursor) {
    if (const Groups stray = modifiers.present & ~form.allowed; stray != 0) {
        const Groups one = stray & (~stray + 1);
        cursor.error(fmt::format("'{}' can not have {} with this type", cursor.text(), members_of(one)));
        return false;
    }
    for (const Groups required : {form.required, form.also}) {
        if (required == 0 || std::popcount(modifiers.present & required) == 1)
            continue;
        const bool none = (modifiers.present & required) == 0;
        cursor.error(fmt::format("'{}' {} {}", cursor.text(), none ? "needs one of" : "takes only one of",
                                 members_of(required)));
        return false;
    }
    if (std::popcount(modifiers.present & (kWithRound | kWithRoundInt | kWithRoundAway | kWithStochastic)) > 1) {
        cursor.error(fmt::format("'{}' takes only one rounding", cursor.text()));
        return false;
    }
    const bool nearest = modifiers.rounding == Rounding::None || modifiers.rounding == Rounding::Rn;
    if (form.opcode != Opcode::Cvt && ptx::is_half(modifiers.types[0]) && !nearest) {
        cursor.error(fmt::format("'{}': .{} is rounded by .rn alone", cursor.text(), ptx::name_of(modifiers.types[0])));
        return false;
    }
    return true;
}

} // namespace

const Form* choose_form(Opcode opcode, const Modifiers& modifiers, Cursor& cursor) {
    const std::span<const Form> forms = forms_of(opcode);
    if (const Form* form = find_form(forms, modifiers); form != nullptr)
        return check_groups(*form, modifiers, cursor) ? form : nullptr;
    report_types(forms, modifiers, cursor);
    return nullptr;
}

} // namespace heddle::ir
