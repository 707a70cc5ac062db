// A simulated device: modules, memory, launches, results (runtime/device.h).
#include "runtime/device.h"

#include <array>
#include <atomic>
#include <optional>
#include <utility>

#include <pybind11/stl.h>

#include "base/output_file.h"
#include "binding.h"

namespace heddle::python {

namespace {

using runtime::Device;

// A device that is used by one thread at a time: launches let other threads of Python run.
struct SharedDevice {
    std::unique_ptr<Device> device;
    std::atomic<bool> busy = false;
    std::optional<py::error_already_set> raised; // by a signal's handler, during a launch
    std::string ended;                           // why no launch can follow; empty: one can

    [[nodiscard]] Device& get() const {
        if (busy)
            throw UserError("the device is in a launch of another thread; wait for it");
        return *device;
    }
};

template <class T>
void take(const py::dict& options, const char* key, T& to) {
    if (options.contains(key) && !options[key].is_none())
        to = options[key].cast<T>();
}

runtime::TimelineOptions timeline_options(const py::dict& options) {
    runtime::TimelineOptions out;
    take(options, "events", out.events);
    take(options, "sample", out.sample);
    take(options, "gap", out.gap);
    take(options, "first_cycle", out.range.from);
    take(options, "end_cycle", out.range.to);
    return out;
}

void print(std::string_view text) {
    const py::gil_scoped_acquire python;
    py::print(py::str(text.data(), text.size()), py::arg("end") = "", py::arg("flush") = true);
}

// During a launch: Ctrl-C ends it, and KeyboardInterrupt follows (launch()).
void look_for_signals(SharedDevice& shared) {
    const py::gil_scoped_acquire python;
    if (PyErr_CheckSignals() == 0)
        return;
    shared.raised.emplace();
    Device::interrupt();
}

runtime::Options device_options(const py::dict& options) {
    runtime::Options out;
    out.output = print;
    take(options, "program", out.program);
    take(options, "functional", out.functional);
    take(options, "max_cycles", out.max_cycles);
    take(options, "max_instructions", out.max_instructions);
    take(options, "host_threads", out.host_threads);
    take(options, "strict", out.strict);
    take(options, "profile", out.profile);
    take(options, "kernels", out.timed_kernels);
    std::string checks;
    take(options, "check", checks);
    if (!checks.empty())
        out.checks = runtime::parse_checks(checks);
    const py::function report = options["report"];
    out.checked = [report](std::string_view text) {
        const py::gil_scoped_acquire python;
        report(py::str(text.data(), text.size()));
    };
    if (options.contains("timeline") && !options["timeline"].is_none())
        out.timeline = timeline_options(options["timeline"]);
    return out;
}

py::dict kernel_info(const runtime::KernelInfo& kernel) {
    py::list parameters;
    for (const runtime::ParameterInfo& p : kernel.parameters)
        parameters.append(py::make_tuple(p.offset, p.bytes, p.type));
    py::dict out;
    out["name"] = kernel.name;
    out["parameters"] = parameters;
    out["parameter_bytes"] = kernel.parameter_bytes;
    out["registers"] = kernel.registers;
    out["static_shared"] = kernel.static_shared;
    out["local_bytes"] = kernel.local_bytes;
    out["max_threads"] = kernel.max_threads;
    return out;
}

using Size = std::array<std::uint32_t, 3>;

Dim3 dimensions(const Size& size) {
    return {size[0], size[1], size[2]};
}

py::dict launch(SharedDevice& shared, runtime::KernelId kernel, const Size& grid, const Size& block,
                const std::string& parameters, std::uint32_t dynamic_shared, bool cooperative, const Size& cluster) {
    Device& device = shared.get();
    const runtime::LaunchShape shape{dimensions(grid), dimensions(block), dynamic_shared, cooperative,
                                     dimensions(cluster)};
    if (!shared.ended.empty())
        throw UserError(shared.ended + "; its memory and results can be read, launches need a new Device");
    runtime::LaunchResult result;
    shared.busy = true;
    try {
        const py::gil_scoped_release others;
        result = device.launch(kernel, shape, std::as_bytes(std::span(parameters)));
        shared.busy = false;
    } catch (const runtime::Fault&) {
        shared.busy = false;
        shared.ended = "a launch of this device has ended in a fault";
        throw;
    } catch (...) {
        shared.busy = false;
        throw;
    }
    if (shared.raised) {
        Device::clear_interrupt();
        shared.ended = "a launch of this device was interrupted";
        const py::error_already_set raised = *std::exchange(shared.raised, std::nullopt);
        throw raised; // NOLINT(misc-throw-by-value-catch-by-reference)
    }
    py::dict out;
    out["cycles"] = result.cycles;
    out["warp_instructions"] = result.warp_instructions;
    out["thread_instructions"] = result.thread_instructions;
    out["stopped"] = result.stop != runtime::Stop::None;
    return out;
}

// The bytes of an object with the buffer protocol: contiguous, as a view without a copy.
class Bytes {
public:
    Bytes(const py::object& object, int flags) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS | flags) != 0)
            throw py::error_already_set();
    }
    ~Bytes() {
        PyBuffer_Release(&view_);
    }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    [[nodiscard]] void* data() const {
        return view_.buf;
    }
    [[nodiscard]] std::uint64_t size() const {
        return static_cast<std::uint64_t>(view_.len);
    }

private:
    Py_buffer view_{};
};

Address allocate(const SharedDevice& shared, std::uint64_t bytes, const std::string& label) {
    const Address address = shared.get().allocate(bytes, label);
    if (address == 0)
        throw UserError("the device has no room for " + std::to_string(bytes) + " more bytes");
    return address;
}

std::string write_timeline(const SharedDevice& shared, const std::string& file) {
    std::string losses;
    write_file(file, [&](std::ostream& out) { losses = shared.get().write_timeline(out); });
    return losses;
}

} // namespace

void add_device(py::module_& m) {
    py::class_<SharedDevice>(m, "Device")
        .def(py::init([](const config::Machine& machine, const py::dict& options) {
                 auto out = std::make_unique<SharedDevice>();
                 runtime::Options chosen = device_options(options);
                 chosen.progress = [shared = out.get()](const runtime::Progress&) { look_for_signals(*shared); };
                 out->device = std::make_unique<Device>(machine, std::move(chosen));
                 return out;
             }),
             py::arg("machine"), py::arg("options"))
        .def("load", [](const SharedDevice& d, const std::string& name,
                        const std::string& ptx) { return d.get().load_module(name, ptx); })
        .def("kernel_names", [](const SharedDevice& d, runtime::ModuleId id) { return d.get().kernel_names(id); })
        .def("kernel", [](const SharedDevice& d, runtime::ModuleId id,
                          const std::string& name) { return d.get().kernel(id, name); })
        .def("info", [](const SharedDevice& d, runtime::KernelId id) { return kernel_info(d.get().info(id)); })
        .def("variable",
             [](const SharedDevice& d, runtime::ModuleId id, const std::string& name) {
                 const runtime::Variable v = d.get().variable(id, name);
                 return std::pair(v.address, v.bytes);
             })
        .def("allocate", &allocate)
        .def("release", [](const SharedDevice& d, Address at) { return d.get().release(at); })
        .def("write",
             [](const SharedDevice& d, Address to, const py::object& from) {
                 const Bytes bytes(from, PyBUF_SIMPLE);
                 d.get().write(to, bytes.data(), bytes.size());
             })
        .def("read",
             [](const SharedDevice& d, const py::object& to, Address from) {
                 const Bytes bytes(to, PyBUF_WRITABLE);
                 d.get().read(bytes.data(), from, bytes.size());
             })
        .def("fill", [](const SharedDevice& d, Address to, int byte, std::uint64_t n) { d.get().fill(to, byte, n); })
        .def("launch", &launch)
        .def_property_readonly("cycles", [](const SharedDevice& d) { return d.get().total_cycles(); })
        .def("seconds", [](const SharedDevice& d, Cycle cycles) { return d.get().seconds(cycles); })
        .def("finish_checks", [](const SharedDevice& d) { d.get().finish_checks(); })
        .def("result_json", [](const SharedDevice& d) { return d.get().result_json(); })
        .def("take_warnings", [](const SharedDevice& d) { return d.get().take_warnings(); })
        .def("write_timeline", &write_timeline);
}

} // namespace heddle::python
