#include "ir/isa/names.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/suggest.h"

namespace heddle::ir {

namespace {

// "%r12" as a base and a number.
struct Numbered {
    std::string_view base;
    std::uint32_t number = 0;
};

// All ways to read `name` as a member of a list, longest base first.
template <typename Visit>
void each_split(std::string_view name, Visit visit) {
    for (std::size_t at = name.size(); at > 1; --at) {
        const char digit = name[at - 1];
        if (digit < '0' || digit > '9')
            return;
        const std::string_view digits = name.substr(at - 1);
        if (digits.size() > 1 && digits[0] == '0')
            continue;
        Numbered split{name.substr(0, at - 1), 0};
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), split.number);
        if (error != std::errc() || visit(split))
            return;
    }
}

} // namespace

ModuleNames::ModuleNames(std::span<const ptx::Module> units) {
    for (const ptx::Module& unit : units)
        units_.push_back(UnitNames(unit));
    Shown shown;
    for (std::uint32_t u = 0; u < units_.size(); ++u)
        show(u, shown);
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
        resolve_variables(units_[u], shown);
        resolve_functions(u, shown);
        add_shared(units[u]);
    }
    for (const UnitNames& unit : units_)
        find_pointed_to(unit);
    std::sort(pointed_to_.begin(), pointed_to_.end());
    pointed_to_.erase(std::unique(pointed_to_.begin(), pointed_to_.end()), pointed_to_.end());
}

void ModuleNames::show(std::uint32_t unit, Shown& shown) const {
    const ptx::Module& text = units_[unit].text();
    for (const ptx::Variable& v : text.variables) {
        if (v.is_extern || !(v.is_visible || v.is_weak))
            continue;
        const auto [entry, fresh] = shown.variables.emplace(v.name, &v);
        if (!fresh && entry->second->is_weak && !v.is_weak)
            entry->second = &v;
    }
    for (const ptx::Function& f : text.functions) {
        if (!f.has_body || !(f.is_visible || f.is_weak))
            continue;
        const auto [entry, fresh] = shown.functions.emplace(f.name, Function{unit, &f});
        if (!fresh && entry->second.function->is_weak && !f.is_weak)
            entry->second = {unit, &f};
    }
    for (const ptx::Alias& alias : text.aliases)
        for (const ptx::Function& f : text.functions)
            if (f.has_body && f.name == alias.function)
                shown.functions.emplace(alias.name, Function{unit, &f});
}

void ModuleNames::resolve_variables(UnitNames& unit, const Shown& shown) {
    for (const ptx::Variable& v : unit.text().variables) {
        const auto [entry, fresh] = unit.variables_.emplace(v.name, &v);
        if (!fresh && entry->second->is_extern)
            entry->second = &v; // a definition behind its declaration
    }
    for (auto& [name, variable] : unit.variables_)
        if (variable->is_extern || variable->is_visible || variable->is_weak)
            if (const auto other = shown.variables.find(name); other != shown.variables.end())
                variable = other->second;
}

void ModuleNames::resolve_functions(std::uint32_t unit, const Shown& shown) {
    UnitNames& names = units_[unit];
    std::vector<const ptx::Function*> mine; // one a name: its definition, else a declaration
    std::unordered_map<std::string_view, std::size_t> place;
    for (const ptx::Function& f : names.text().functions) {
        const auto [entry, fresh] = place.emplace(f.name, mine.size());
        if (fresh)
            mine.push_back(&f);
        else if (f.has_body && !mine[entry->second]->has_body)
            mine[entry->second] = &f;
    }
    for (const ptx::Function* const f : mine) {
        Function meant{unit, f};
        if (!f->has_body || f->is_visible || f->is_weak)
            if (const auto other = shown.functions.find(f->name); other != shown.functions.end())
                meant = other->second;
        const auto [index, fresh] = index_of_.emplace(meant.function, static_cast<std::uint32_t>(functions_.size()));
        if (fresh) {
            functions_.push_back(meant.function);
            unit_of_.push_back(meant.unit);
        }
        names.functions_.emplace(f->name, index->second);
    }
    for (const ptx::Alias& alias : names.text().aliases)
        if (const auto target = names.functions_.find(alias.function); target != names.functions_.end())
            names.functions_[alias.name] = target->second;
}

void ModuleNames::add_shared(const ptx::Module& unit) {
    const auto add = [&](const ptx::Variable& v) {
        if (v.space != ptx::Space::Shared)
            return;
        shared_index_.emplace(&v, static_cast<std::uint32_t>(shared_.size()));
        shared_.push_back(&v);
    };
    for (const ptx::Variable& v : unit.variables)
        add(v);
    for (const ptx::Function& f : unit.functions)
        for (const ptx::Local& local : f.locals)
            add(local.variable);
}

void ModuleNames::find_pointed_to(const UnitNames& unit) {
    const auto add = [&](std::string_view name) {
        if (const auto index = unit.function(name); index && !functions_[*index]->is_entry)
            pointed_to_.push_back(*index);
    };
    const auto add_initial = [&](const ptx::Variable& v) {
        for (const ptx::InitialValue& value : v.initial)
            if (value.kind == ptx::InitialValue::Kind::Symbol)
                add(value.symbol);
    };
    for (const ptx::Variable& v : unit.text().variables)
        add_initial(v);
    for (const ptx::Function& f : unit.text().functions) {
        for (const ptx::Local& local : f.locals)
            add_initial(local.variable);
        for (const ptx::Instruction& instruction : f.body)
            if (instruction.opcode == "mov" && instruction.operands.size() == 2 &&
                instruction.operands[1].kind == ptx::Operand::Kind::Name)
                add(instruction.operands[1].name);
    }
}

std::uint32_t ModuleNames::shared_index(const ptx::Variable* variable) const {
    return shared_index_.at(variable);
}

const ptx::Variable* UnitNames::variable(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : found->second;
}

Symbol UnitNames::find(std::string_view name) const {
    if (const ptx::Variable* v = variable(name))
        return {Symbol::Kind::Variable, Symbol::Owner::Module, v, 0, 0};
    if (const std::optional<std::uint32_t> f = function(name))
        return {Symbol::Kind::Function, Symbol::Owner::Module, nullptr, *f, 0};
    return {};
}

std::optional<std::uint32_t> UnitNames::function(std::string_view name) const {
    const auto found = functions_.find(name);
    if (found == functions_.end())
        return std::nullopt;
    return found->second;
}

Names::Names(const UnitNames& unit, const ptx::Function& function) : unit_(unit), function_(function) {
    for (std::uint32_t i = 0; i < function.locals.size(); ++i) {
        const ptx::Variable& v = function.locals[i].variable;
        declare(v.count != 0 ? lists_ : locals_, v.name, i);
    }
    const auto formal = [&](const ptx::Variable& v, Symbol::Owner owner, std::uint32_t index) {
        const auto kind = v.space == ptx::Space::Reg ? Symbol::Kind::Register : Symbol::Kind::Variable;
        formals_.emplace(v.name, Symbol{kind, owner, &v, index, 0});
    };
    for (std::uint32_t i = 0; i < function.results.size(); ++i)
        formal(function.results[i], Symbol::Owner::Result, i);
    for (std::uint32_t i = 0; i < function.parameters.size(); ++i)
        formal(function.parameters[i], Symbol::Owner::Parameter, i);
    for (std::uint32_t i = 0; i < function.labels.size(); ++i)
        labels_[function.labels[i].name].push_back(i);
}

const ptx::Local* Names::innermost(std::string_view name, std::uint32_t at, bool list, std::uint32_t& index) const {
    const auto& map = list ? lists_ : locals_;
    const auto found = map.find(name);
    if (found == map.end())
        return nullptr;
    // Of the declarations before `at` the last one, or one around it: scopes nest.
    const std::vector<Declaration>& list_of = found->second;
    const auto behind = std::upper_bound(list_of.begin(), list_of.end(), at, [&](std::uint32_t op, Declaration d) {
        return op < function_.locals[d.local].begin;
    });
    auto place = behind == list_of.begin() ? kNone : static_cast<std::uint32_t>(behind - list_of.begin() - 1);
    for (; place != kNone; place = list_of[place].outer) {
        index = list_of[place].local;
        if (const ptx::Local& local = function_.locals[index]; at < local.end)
            return &local;
    }
    return nullptr;
}

void Names::declare(Declarations& map, std::string_view name, std::uint32_t local) const {
    std::vector<Declaration>& list = map[name];
    std::uint32_t outer = list.empty() ? kNone : static_cast<std::uint32_t>(list.size() - 1);
    while (outer != kNone && function_.locals[list[outer].local].end <= function_.locals[local].begin)
        outer = list[outer].outer;
    list.push_back({local, outer});
}

Symbol Names::find_before(std::string_view name, std::uint32_t local) const {
    const std::uint32_t at = function_.locals[local].begin;
    for (std::uint32_t i = local; i-- > 0;) {
        const ptx::Local& earlier = function_.locals[i];
        if (earlier.variable.name != name || earlier.begin > at || at >= earlier.end)
            continue;
        const bool is_register = earlier.variable.space == ptx::Space::Reg;
        return {is_register ? Symbol::Kind::Register : Symbol::Kind::Variable, Symbol::Owner::Body, &earlier.variable,
                i, 0};
    }
    return unit_.find(name);
}

Symbol Names::find(std::string_view name, std::uint32_t at) const {
    Symbol symbol;
    if (const ptx::Local* local = innermost(name, at, false, symbol.index)) {
        symbol.kind = local->variable.space == ptx::Space::Reg ? Symbol::Kind::Register : Symbol::Kind::Variable;
        symbol.owner = Symbol::Owner::Body;
        symbol.variable = &local->variable;
        return symbol;
    }
    each_split(name, [&](const Numbered& split) {
        const ptx::Local* local = innermost(split.base, at, true, symbol.index);
        if (local == nullptr || split.number >= local->variable.count)
            return false;
        symbol.kind = Symbol::Kind::Register;
        symbol.owner = Symbol::Owner::Body;
        symbol.variable = &local->variable;
        symbol.number = split.number;
        return true;
    });
    if (symbol.kind != Symbol::Kind::None)
        return symbol;
    if (const auto formal = formals_.find(name); formal != formals_.end())
        return formal->second;
    return unit_.find(name);
}

std::optional<std::uint32_t> Names::label(std::string_view name, std::uint32_t at) const {
    const auto found = labels_.find(name);
    if (found == labels_.end())
        return std::nullopt;
    const ptx::Label* best = nullptr;
    for (const std::uint32_t i : found->second) {
        const ptx::Label& label = function_.labels[i];
        if (at < label.begin || at >= label.end)
            continue;
        if (best == nullptr || label.end - label.begin < best->end - best->begin)
            best = &label;
    }
    if (best == nullptr)
        return std::nullopt;
    return best->index;
}

std::string Names::hint(std::string_view name, std::uint32_t at) const {
    std::string text;
    each_split(name, [&](const Numbered& split) {
        std::uint32_t index = 0;
        const ptx::Local* local = innermost(split.base, at, true, index);
        if (local == nullptr)
            return false;
        text = fmt::format("; {0}<{1}> declares {0}0 to {0}{2}", split.base, local->variable.count,
                           local->variable.count - 1);
        return true;
    });
    if (!text.empty())
        return text;
    Suggestion near(name);
    for (const ptx::Local& local : function_.locals)
        if (local.begin <= at && at < local.end)
            near.consider(local.variable.name);
    for (const ptx::Variable& v : function_.results)
        near.consider(v.name);
    for (const ptx::Variable& v : function_.parameters)
        near.consider(v.name);
    for (const ptx::Variable& v : unit_.text().variables)
        near.consider(v.name);
    for (const ptx::Function& f : unit_.text().functions)
        near.consider(f.name);
    return did_you_mean(near.name());
}

std::string Names::label_hint(std::string_view name, std::uint32_t at) const {
    Suggestion near(name);
    for (const ptx::Label& label : function_.labels)
        if (label.begin <= at && at < label.end)
            near.consider(label.name);
    return did_you_mean(near.name());
}

} // namespace heddle::ir
