#include "ir/names.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/suggest.h"

namespace heddle::ir {

namespace {

// Splits "%r12" into base and number at `digits` from the end.
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

ModuleNames::ModuleNames(const ptx::Module& module) : module_(module) {
    for (const ptx::Variable& v : module.variables) {
        const auto [entry, fresh] = variables_.emplace(v.name, &v);
        if (!fresh && entry->second->is_extern)
            entry->second = &v; // a definition behind its declaration
    }
    for (const ptx::Function& f : module.functions) {
        const auto [entry, fresh] = names_.emplace(f.name, static_cast<std::uint32_t>(functions_.size()));
        if (fresh)
            functions_.push_back(&f);
        else if (f.has_body && !functions_[entry->second]->has_body)
            functions_[entry->second] = &f;
    }
    for (const ptx::Alias& alias : module.aliases) {
        const auto target = names_.find(alias.function);
        if (target != names_.end())
            names_[alias.name] = target->second;
    }
    find_pointed_to();
    const auto add_shared = [&](const ptx::Variable& v) {
        if (v.space != ptx::Space::Shared)
            return;
        shared_index_.emplace(&v, static_cast<std::uint32_t>(shared_.size()));
        shared_.push_back(&v);
    };
    for (const ptx::Variable& v : module.variables)
        add_shared(v);
    for (const ptx::Function& f : module.functions)
        for (const ptx::Local& local : f.locals)
            add_shared(local.variable);
}

void ModuleNames::find_pointed_to() {
    const auto add = [&](std::string_view name) {
        if (const auto index = function(name); index && !functions_[*index]->is_entry)
            pointed_to_.push_back(*index);
    };
    for (const ptx::Variable& v : module_.variables)
        for (const ptx::InitialValue& value : v.initial)
            if (value.kind == ptx::InitialValue::Kind::Symbol)
                add(value.symbol);
    for (const ptx::Function& f : module_.functions)
        for (const ptx::Instruction& instruction : f.body)
            if (instruction.opcode == "mov" && instruction.operands.size() == 2 &&
                instruction.operands[1].kind == ptx::Operand::Kind::Name)
                add(instruction.operands[1].name);
    std::sort(pointed_to_.begin(), pointed_to_.end());
    pointed_to_.erase(std::unique(pointed_to_.begin(), pointed_to_.end()), pointed_to_.end());
}

const ptx::Variable* ModuleNames::variable(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : found->second;
}

std::optional<std::uint32_t> ModuleNames::function(std::string_view name) const {
    const auto found = names_.find(name);
    if (found == names_.end())
        return std::nullopt;
    return found->second;
}

std::uint32_t ModuleNames::shared_index(const ptx::Variable* variable) const {
    return shared_index_.at(variable);
}

Names::Names(const ModuleNames& module, const ptx::Function& function) : module_(module), function_(function) {
    for (std::uint32_t i = 0; i < function.locals.size(); ++i) {
        const ptx::Variable& v = function.locals[i].variable;
        (v.count != 0 ? lists_ : locals_)[v.name].push_back(i);
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
    // Declarations come in text order, so the last one in force is the innermost.
    for (auto i = found->second.rbegin(); i != found->second.rend(); ++i) {
        const ptx::Local& local = function_.locals[*i];
        if (local.begin <= at && at < local.end) {
            index = *i;
            return &local;
        }
    }
    return nullptr;
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
    if (const ptx::Variable* v = module_.variable(name))
        return {Symbol::Kind::Variable, Symbol::Owner::Module, v, 0, 0};
    if (const std::optional<std::uint32_t> f = module_.function(name))
        return {Symbol::Kind::Function, Symbol::Owner::Module, nullptr, *f, 0};
    return {};
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
    for (const ptx::Variable& v : module_.module().variables)
        near.consider(v.name);
    for (const ptx::Function* f : module_.functions())
        near.consider(f->name);
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
