// The version that a library reports: that of the CUDA toolkit of its name.
#pragma once

#include <cublas_api.h>

namespace heddle::blas {

[[nodiscard]] int cudart_version(); // 12000 is 12.0
cublasStatus_t get_version(int* version);
cublasStatus_t get_property(libraryPropertyType, int* value);

} // namespace heddle::blas
