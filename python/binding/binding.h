// The parts of the extension module.
#pragma once

#include <pybind11/pybind11.h>

#include "base/source.h"

namespace heddle::python {

namespace py = pybind11;

void add_machine(py::module_&);
void add_device(py::module_&);

} // namespace heddle::python
