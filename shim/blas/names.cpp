// Functions of cuBLAS that heddle does not serve
#include "unsupported.h"

constexpr int kNotSupported = 15; // CUBLAS_STATUS_NOT_SUPPORTED
#define HEDDLE_UNSUPPORTED(name) HEDDLE_DEFINE_UNSUPPORTED(int, name, kNotSupported)
#include "unsupported_blas.def"
