#include "state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "attributes.h"
#include "base/host_limits.h"
#include "base/process_object.h"
#include "config/plugins.h"
#include "device_graphs.h"
#include "environment.h"
#include "linked_image.h"
#include "process.h"

namespace heddle::cudart {
namespace {

std::string program_name() {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? "program" : path.filename().string();
}

cudaError_t code_of(runtime::Fault::Kind kind) {
    using Kind = runtime::Fault::Kind;
    switch (kind) {
    case Kind::Address:
        return cudaErrorIllegalAddress;
    case Kind::Misaligned:
        return cudaErrorMisalignedAddress;
    case Kind::Stuck:
        return cudaErrorLaunchTimeout;
    case Kind::Assertion:
        return cudaErrorAssert;
    case Kind::Policy:
    case Kind::Other:
        break;
    }
    return cudaErrorLaunchFailure;
}

} // namespace

void complain(const std::string& message) {
    std::fflush(stdout); // keeps the order of a program's output and heddle's where both go to one place
    fmt::print(stderr, "heddle: {}\n", message);
    if (JitLog* const log = log_of_thread(); log != nullptr)
        log->add(message);
}

JitLog*& log_of_thread() {
    thread_local JitLog* log = nullptr;
    return log;
}

cudaError_t& last_error() {
    thread_local cudaError_t error = cudaSuccess;
    return error;
}

bool& thread_uses_runtime() {
    thread_local bool uses = false;
    return uses;
}

int& driver_calls() {
    thread_local int calls = 0;
    return calls;
}

cudaError_t record(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last_error() = error;
    return error;
}

State& State::get() {
    // Never destroyed: the program's own destructors may still call the runtime.
    static auto* const state =
        static_cast<State*>(process_object("the state of the CUDA runtime", []() -> void* { return new State; }));
    return *state;
}

runtime::Device& State::device() {
    if (device_ == nullptr) {
        try {
            make_device();
        } catch (const UserError& e) {
            complain(e.what());
            if (results_ != nullptr)
                results_->fail(e.what());
            std::exit(kExitBadMachine);
        }
    }
    return *device_;
}

void State::make_device() {
    config::load_plugins_of_environment();
    Environment environment = read_environment();
    if (environment.progress)
        environment.options.progress = show_progress;
    environment.options.program = program_name();
    environment.options.checked = [](std::string_view report) {
        clear_progress();
        complain(std::string(report));
    };
    end_with(environment.process);
    results_ = std::make_unique<Results>(std::move(environment.files));
    device_ = std::make_unique<runtime::Device>(config::Machine::load(environment.machine, environment.settings),
                                                std::move(environment.options));
    device_->set_attributes(attribute_values(device_->properties()));
    device_->set_graph_launcher(&graph_launcher());
    watch_process(*device_, *results_);
}

void State::note_first_call() {
    first_caller_ = getpid();
    if (std::getenv("HEDDLE_PROCESSES") != nullptr)
        std::atexit([] { get().make_device_at_exit(); });
}

// The device writes its results when the process exits.
void State::make_device_at_exit() {
    const Inside not_paused;                              // by a signal that comes now
    const std::unique_lock held(mutex, std::try_to_lock); // a thread that is in the runtime may hold it for long
    if (!held || device_ != nullptr || results_ != nullptr || getpid() != first_caller_)
        return;
    try {
        make_device();
    } catch (const UserError& e) { // too late for another exit status
        complain(e.what());
        if (results_ != nullptr)
            results_->fail(e.what());
    }
}

bool State::is_forked() {
    if (results_ == nullptr || results_->is_mine())
        return false;
    if (!told_forked_)
        complain("a process has forked after its first use of the device: its child cannot use it, as in CUDA");
    told_forked_ = true;
    return true;
}

void State::end_without_memory() {
    clear_progress();
    const std::string message = fmt::format("no memory is left for the simulation: {}", memory_error());
    complain(message);
    if (results_ != nullptr)
        results_->fail(message);
    std::exit(kExitNoMemory);
}

const runtime::Properties& State::properties() {
    if (!properties_)
        properties_ = device().properties();
    return *properties_;
}

std::uint64_t State::most_dynamic_shared(const Kernel& kernel) {
    const std::uint64_t most = shared_unless_asked(properties());
    const std::uint64_t unless_asked = most - std::min<std::uint64_t>(most, device().info(*kernel.id).static_shared);
    return std::max<std::uint64_t>(unless_asked, static_cast<std::uint64_t>(kernel.dynamic_shared.value_or(0)));
}

Module* State::add_module(const FatBinaryWrapper* wrapper) {
    modules_.push_back(std::make_unique<Module>());
    modules_.back()->wrapper = wrapper;
    return modules_.back().get();
}

void State::add_kernel(Module* module, const void* host, const char* name) {
    kernels_.insert_or_assign(host, Kernel{module, name, {}});
}

void State::add_symbol(Module* module, const void* host, const char* name, std::size_t bytes) {
    symbols_.insert_or_assign(host, Symbol{module, name, bytes, {}});
}

void State::add_managed(Module* module, void** pointer, const char* name, std::size_t bytes) {
    add_symbol(module, pointer, name, bytes);
    managed_.push_back(pointer);
}

bool State::find_managed(Module* module) {
    bool found = true;
    for (void** const pointer : managed_) {
        cudaError_t error = cudaSuccess;
        if (symbols_.at(pointer).module != module)
            continue;
        const Symbol* const symbol = find_symbol(pointer, error);
        found &= symbol != nullptr;
        if (symbol == nullptr)
            continue;
        *pointer = reinterpret_cast<void*>(*symbol->address);
        symbols_.insert_or_assign(*pointer, Symbol(*symbol));
    }
    return found;
}

// The PTX of a module's fat binaries: one is the rule, -rdc=true gives one a source file. `only`: the program has no
// other module.
std::vector<runtime::PtxText> State::texts_of(const std::vector<FatBinary>& binaries, bool only) {
    const unsigned sm = properties().compute_major * 10 + properties().compute_minor;
    std::vector<runtime::PtxText> texts;
    std::string unusable; // why a binary was passed over
    for (const FatBinary& binary : binaries) {
        const PtxEntry* entry = nullptr;
        try {
            entry = &choose_ptx(binary, sm);
        } catch (const UserError& e) {
            unusable = e.what();
            continue; // nvcc -rdc=true adds CUDA's own device library, which programs seldom need
        }
        const std::string number = only && binaries.size() == 1 ? "" : fmt::format("#{}", loads_++);
        texts.push_back({program_name() + number + ".ptx", ptx_text(*entry)});
    }
    if (texts.empty())
        throw UserError(unusable.empty() ? "the program carries no fat binary" : unusable);
    return texts;
}

cudaError_t State::load(Module& module) {
    if (module.tried)
        return module.error;
    module.tried = true;
    module.error = cudaErrorInvalidKernelImage;
    try {
        std::vector<runtime::PtxText> texts = module.wrapper == nullptr
                                                  ? std::move(module.texts)
                                                  : texts_of(parse_wrapper(*module.wrapper), modules_.size() == 1);
        module.error = std::any_of(texts.begin(), texts.end(), runtime::is_too_new) ? cudaErrorUnsupportedPtxVersion
                                                                                    : cudaErrorInvalidPtx;
        module.loaded = device().load_module(std::move(texts));
        module.error = cudaSuccess;
    } catch (const UserError& e) {
        complain(e.what());
    }
    return module.error;
}

Module* State::add_library(const void* image, std::size_t bytes, std::string name) {
    if (name.empty())
        name = fmt::format("{}#{}.ptx", program_name(), loads_++);
    auto library = std::make_unique<Module>();
    switch (kind_of(image)) {
    case Image::Wrapper:
        if (bytes != kUnknownBytes)
            throw UserError(fmt::format("{} points into the memory of a program: it is no fat binary itself", name));
        library->texts = texts_of(parse_wrapper(*static_cast<const FatBinaryWrapper*>(image)), false);
        break;
    case Image::FatBinary:
        library->texts = texts_of({parse_fat_binary(static_cast<const std::byte*>(image), bytes)}, false);
        break;
    case Image::Linked:
        library->texts = texts_of(parse_linked_image(static_cast<const std::byte*>(image), bytes), false);
        break;
    case Image::MachineCode:
        throw UserError(fmt::format("{} is machine code of a GPU; heddle runs PTX", name));
    case Image::Text:
        library->texts.push_back({std::move(name), static_cast<const char*>(image)});
        break;
    }
    modules_.push_back(std::move(library));
    return modules_.back().get();
}

bool State::is_library(const Module* module) const {
    return std::any_of(modules_.begin(), modules_.end(),
                       [&](const auto& each) { return each.get() == module && module->wrapper == nullptr; });
}

bool State::drop_library(const Module* library) {
    if (!is_library(library))
        return false;
    for (const auto& handle : library->handles)
        kernels_.erase(&handle.second);
    std::erase_if(modules_, [&](const auto& each) { return each.get() == library; });
    return true;
}

Kernel* State::find_kernel(const void* host, cudaError_t& error) {
    const auto at = kernels_.find(host);
    error = at == kernels_.end() ? cudaErrorInvalidDeviceFunction : load(*at->second.module);
    if (error != cudaSuccess)
        return nullptr;
    Kernel& kernel = at->second;
    if (!kernel.id)
        for (const std::string& name : device().kernel_names(*kernel.module->loaded))
            if (name == kernel.name)
                kernel.id = device().kernel(*kernel.module->loaded, name);
    if (!kernel.id) {
        complain(fmt::format("the program's PTX has no kernel '{}'", kernel.name));
        error = cudaErrorInvalidDeviceFunction;
        return nullptr;
    }
    return &kernel;
}

Symbol* State::find_symbol(const void* host, cudaError_t& error) {
    const auto at = symbols_.find(host);
    error = at == symbols_.end() ? cudaErrorInvalidSymbol : load(*at->second.module);
    if (error != cudaSuccess)
        return nullptr;
    Symbol& symbol = at->second;
    try {
        if (!symbol.address)
            symbol.address = device().variable(*symbol.module->loaded, symbol.name).address;
    } catch (const UserError&) { // optimised away
        complain(fmt::format("the program's PTX has no variable '{}'", symbol.name));
        error = cudaErrorInvalidSymbol;
        return nullptr;
    }
    return &symbol;
}

cudaError_t State::launch(Kernel& kernel, const runtime::LaunchShape& shape, void* const* arguments) {
    runtime::LaunchResult result;
    runtime::Device& on = device();
    results_->launches();
    try {
        result = on.launch(*kernel.id, shape, arguments);
    } catch (const runtime::Fault& fault) { // its text is the whole report
        tell_warnings();
        complain(fault.what());
        sticky = code_of(fault.kind());
        return sticky;
    }
    tell_warnings();
    exit_if_stopped(result.stop);
    return cudaSuccess;
}

void State::tell_warnings() {
    clear_progress();
    for (const std::string& warning : device().take_warnings())
        complain(warning);
}

} // namespace heddle::cudart
