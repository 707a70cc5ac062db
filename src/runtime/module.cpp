#include "runtime/module.h"

#include <cstring>
#include <functional>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "ir/isa/names.h"
#include "ir/lower.h"
#include "ptx/parser.h"
#include "runtime/device_code/functions.h"
#include "runtime/device_code/text.h"
#include "runtime/opaque_variables.h"

namespace heddle::runtime {
namespace {

bool lies_in_memory(const ptx::Variable& v) {
    return v.space == ptx::Space::Global || v.space == ptx::Space::Const;
}

// A table of heddle's device headers (include/heddle-cuda), which a program has included without knowing of it.
bool is_of_heddle(const ptx::Variable& v) {
    return v.name.find("11heddle_math") != std::string_view::npos;
}

// Loads the texts of a module: parses, links and lowers them.
class Loader {
public:
    Loader(exec::MemoryImage& image, exec::TextureTable& textures, ir::Program& program)
        : image_(image), textures_(textures), program_(program) {}

    void parse(PtxText text);
    void parse_program(PtxText text);
    [[nodiscard]] std::span<const ptx::Module> units() const {
        return units_;
    }
    Variables load();

private:
    // The symbol of a name in an initialiser.
    using Find = std::function<ir::Symbol(std::string_view)>;

    void place(const ptx::Variable& v, Diagnostics& diagnostics);
    void initialise(const ptx::Variable& v, const Find& find, Diagnostics& diagnostics);
    void write_value(const ptx::Variable& v, const ptx::InitialValue& value, const Find& find, std::byte* to,
                     Diagnostics& diagnostics) const;
    [[nodiscard]] Address address_of(const ptx::Variable& v) const {
        const auto at = addresses_.find(&v);
        return at == addresses_.end() ? Address{0} : at->second;
    }
    template <class Visit> // Calls visit(variable, names of its unit, diagnostics of its unit) for variables in memory.
    void each_variable(const ir::ModuleNames& names, Visit visit);
    // The variables in memory that functions declare: each is one variable for all threads, as those of the module.
    void place_locals();
    void initialise_locals(const ir::ModuleNames& names);
    void throw_if_failed() const;

    exec::MemoryImage& image_;
    exec::TextureTable& textures_;
    ir::Program& program_;
    std::vector<ptx::Module> units_;
    std::vector<Diagnostics> diagnostics_; // by unit
    std::unordered_map<const ptx::Variable*, Address> addresses_;
};

void Loader::parse(PtxText text) {
    const auto source = std::make_shared<const SourceText>(std::move(text.name), std::move(text.ptx));
    units_.push_back(ptx::parse(source, diagnostics_.emplace_back(source)));
}

// nvcc links CUDA's runtime for device code into programs that launch kernels or set conditions of graphs. It stands on
// a scheduler that is not documented, so that heddle's takes its place.
void Loader::parse_program(PtxText text) {
    parse(std::move(text));
    std::erase_if(units_.back().functions, [](const ptx::Function& f) {
        return f.has_body && (is_launch_function(f.name) || is_condition_function(f.name));
    });
}

void Loader::throw_if_failed() const {
    std::string text;
    for (const Diagnostics& each : diagnostics_)
        text += each.render();
    if (!text.empty())
        throw UserError(text);
}

template <class Visit>
void Loader::each_variable(const ir::ModuleNames& names, Visit visit) {
    for (std::size_t u = 0; u < units_.size(); ++u)
        for (const ptx::Variable& v : units_[u].variables)
            if (lies_in_memory(v))
                visit(v, names.units()[u], diagnostics_[u]);
}

void Loader::place_locals() {
    for (std::size_t u = 0; u < units_.size(); ++u)
        for (const ptx::Function& function : units_[u].functions)
            for (const ptx::Local& local : function.locals)
                if (lies_in_memory(local.variable))
                    place(local.variable, diagnostics_[u]);
}

void Loader::initialise_locals(const ir::ModuleNames& names) {
    for (std::size_t u = 0; u < units_.size(); ++u)
        for (const ptx::Function& function : units_[u].functions) {
            const ir::Names scope(names.units()[u], function);
            for (std::uint32_t i = 0; i < function.locals.size(); ++i)
                if (lies_in_memory(function.locals[i].variable))
                    initialise(
                        function.locals[i].variable, [&](std::string_view name) { return scope.find_before(name, i); },
                        diagnostics_[u]);
        }
}

void Loader::place(const ptx::Variable& v, Diagnostics& diagnostics) {
    if (ptx::is_opaque(v.type)) {
        addresses_.emplace(&v, textures_.add(opaque_object(v, diagnostics)));
        return;
    }
    const std::uint64_t bytes = std::max<std::uint64_t>(v.bytes(), 1);
    const Address address = v.is_managed
                                ? image_.allocate_shared(bytes, std::string(v.name))
                                : image_.allocate(bytes, std::string(v.name), v.space == ptx::Space::Const,
                                                  std::max<std::uint64_t>(v.alignment(), exec::MemoryImage::kGranule));
    image_.set_owner(address, is_of_heddle(v) ? exec::Owner::Simulator : exec::Owner::Context);
    if (address == 0)
        diagnostics.error(
            v.where, fmt::format("'{}' of {} bytes does not fit into the device's memory (device.memory){}", v.name,
                                 v.bytes(), v.is_managed ? ", or the program has something else at its address" : ""));
    addresses_.emplace(&v, address);
}

void Loader::write_value(const ptx::Variable& v, const ptx::InitialValue& value, const Find& find, std::byte* to,
                         Diagnostics& diagnostics) const {
    using Kind = ptx::InitialValue::Kind;
    const unsigned size = ptx::size_of(v.type);
    std::uint64_t bits = value.bits;
    if (value.kind == Kind::Symbol) {
        const ir::Symbol symbol = find(value.symbol);
        const bool is_function = symbol.kind == ir::Symbol::Kind::Function;
        const Address variable = symbol.kind == ir::Symbol::Kind::Variable ? address_of(*symbol.variable) : 0;
        if (variable == 0 && !is_function) {
            diagnostics.error(
                value.where, fmt::format("'{}' is no variable or function of this module: only those have addresses an "
                                         "initialiser can hold",
                                         value.symbol));
            return;
        }
        bits = (is_function ? ir::code_address(symbol.index) : variable) + static_cast<std::uint64_t>(value.offset);
        if (value.byte != 0xff)
            bits = bits >> (8 * value.byte) & 0xff;
    } else if (value.kind == Kind::Float && v.type == ptx::Type::F32) {
        double wide;
        std::memcpy(&wide, &value.bits, sizeof wide);
        const auto narrow = static_cast<float>(wide);
        std::uint32_t word;
        std::memcpy(&word, &narrow, sizeof word);
        bits = word;
    }
    std::memcpy(to, &bits, size); // the low bytes: hosts are little-endian like the device
}

void Loader::initialise(const ptx::Variable& v, const Find& find, Diagnostics& diagnostics) {
    const unsigned size = ptx::size_of(v.type);
    if (v.initial.size() * size > v.bytes()) {
        diagnostics.error(v.where, fmt::format("the initialiser of '{}' has {} values, but the variable holds {}",
                                               v.name, v.initial.size(), v.bytes() / size));
        return;
    }
    std::byte* to = v.initial.empty() ? nullptr : image_.host(addresses_.at(&v));
    for (const ptx::InitialValue& value : v.initial) {
        write_value(v, value, find, to, diagnostics);
        to += size;
    }
}

Variables Loader::load() {
    throw_if_failed();
    const ir::ModuleNames names(units_);
    Variables variables;
    each_variable(names, [&](const ptx::Variable& v, const ir::UnitNames& unit, Diagnostics& diagnostics) {
        const ptx::Variable* const definition = unit.variable(v.name);
        if (definition->is_extern)
            diagnostics.error(v.where, fmt::format("external variable '{}' is defined nowhere in the module: what "
                                                   "defines it has to be linked along (-rdc=true)",
                                                   v.name));
        else if (definition == &v) // neither a declaration nor one of several weak definitions
            place(v, diagnostics);
    });
    place_locals();
    throw_if_failed();
    each_variable(names, [&](const ptx::Variable& v, const ir::UnitNames& unit, Diagnostics& diagnostics) {
        if (unit.variable(v.name) != &v)
            return;
        variables.emplace(v.name, Variable{address_of(v), v.bytes(), exec::kind_of(v.type)});
        initialise(
            v, [&](std::string_view name) { return unit.find(name); }, diagnostics);
    });
    initialise_locals(names);
    ir::lower(
        names, [&](const ptx::Variable& v) { return address_of(v); }, program_, diagnostics_);
    throw_if_failed();
    return variables;
}

// 75 of "sm_75", 90 of "sm_90a".
std::uint32_t number_of(std::string_view target) {
    std::uint32_t number = 0;
    for (const char c : target)
        if (c >= '0' && c <= '9')
            number = 10 * number + static_cast<std::uint32_t>(c - '0');
    return number;
}

} // namespace

LoadedModule load(std::vector<PtxText> texts, exec::MemoryImage& image, exec::TextureTable& textures,
                  ir::Program& program) {
    Loader loader(image, textures, program);
    for (PtxText& text : texts)
        loader.parse_program(std::move(text));
    if (needs(loader.units(), is_launch_function))
        loader.parse({"launches.ptx", std::string(launch_functions())});
    if (needs(loader.units(), is_condition_function))
        loader.parse({"conditions.ptx", std::string(condition_functions())});
    if (needs(loader.units(), is_heap_function))
        loader.parse({"heap.ptx", std::string(heap_functions())});
    const std::uint32_t target = loader.units().empty() ? 0 : number_of(loader.units().front().target);
    return {loader.load(), target};
}

} // namespace heddle::runtime
