// Machines: settings by dotted key.
#include <charconv>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "base/suggest.h"
#include "binding.h"
#include "config/parameter.h"
#include "config/plugins.h"

namespace heddle::python {

namespace {

using config::Machine;

// The value of a setting as Python has it: canonical text of its type (config/parameter.h).
py::object typed(const std::string& key, const std::string& text) {
    const config::ParameterInfo* const info = config::find_parameter(key);
    switch (info == nullptr ? config::Type::Text : info->type) {
    case config::Type::Integer:
        return py::int_(py::str(text));
    case config::Type::Real:
        return py::float_(py::str(text));
    case config::Type::Boolean:
        return py::bool_(text == "true");
    case config::Type::Text:
        break;
    }
    return py::str(text);
}

const config::Value& find(const Machine& machine, const std::string& key) {
    const auto found = machine.values().find(key);
    if (found != machine.values().end())
        return found->second;
    std::vector<std::string> known;
    for (const auto& [name, value] : machine.values())
        known.push_back(name);
    throw py::key_error(
        fmt::format("machine '{}' has no parameter '{}'{}", machine.name(), key, did_you_mean(key, known)));
}

py::dict described(const Machine& machine, const std::string& key) {
    const config::Value& value = find(machine, key);
    const config::ParameterInfo& info = *config::find_parameter(key);
    py::dict out;
    out["value"] = typed(key, value.text);
    out["origin"] = value.origin;
    out["unit"] = info.unit;
    out["range"] = info.range;
    out["meaning"] = info.meaning;
    out["source"] = info.source;
    return out;
}

} // namespace

void add_machine(py::module_& m) {
    m.def("machine_names", &config::machine_names);
    m.def("default_machine", &config::default_machine);
    m.def("load_plugins_of_environment", &config::load_plugins_of_environment);
    m.def("load_plugin", [](const std::string& file) {
        const config::Plugin plugin = config::load_plugin(file);
        return std::tuple(plugin.name, plugin.meaning, plugin.file.string());
    });
    py::class_<Machine>(m, "Machine")
        .def(py::init([](const std::string& name, const std::vector<std::string>& settings) {
                 return Machine::load(name, settings);
             }),
             py::arg("name"), py::arg("settings"))
        .def_property_readonly("name", &Machine::name)
        .def_property_readonly("description", &Machine::description)
        .def("keys",
             [](const Machine& machine) {
                 std::vector<std::string> out;
                 for (const auto& [key, value] : machine.values())
                     out.push_back(key);
                 return out;
             })
        .def("get", [](const Machine& machine, const std::string& key) { return typed(key, find(machine, key).text); })
        .def("describe", &described)
        .def("to_toml", &Machine::to_toml);
}

} // namespace heddle::python
