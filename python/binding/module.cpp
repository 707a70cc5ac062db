// The extension module `heddle._heddle`: machines and devices of libheddle.so. What is easier in Python is in
// python/heddle/.
#include "binding.h"
#include "report/result.h"
#include "runtime/device.h"

namespace heddle::python {

PYBIND11_MODULE(_heddle, m) {
    m.doc() = "Machines and devices of heddle; use the package `heddle`.";
    m.attr("version") = std::string(report::version());
    const auto& error = py::register_exception<UserError>(m, "Error", PyExc_RuntimeError);
    error.doc() = "heddle was called with something that is wrong; the text says what, where, and what would be right.";
    py::register_exception<runtime::Fault>(m, "Fault", error.ptr()).doc() =
        "A thread of a kernel did something that ends the launch; the text is the whole report.";
    add_machine(m);
    add_device(m);
}

} // namespace heddle::python
