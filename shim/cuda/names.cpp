// Names of the driver API that have no function of their own: other names of a function, and functions that heddle does
// not serve yet. cuda.h is not included: its macros replace names by those of newer forms.
#include "unsupported.h"

// The forms for per-thread default streams, and older forms with the same parameters.
#define HEDDLE_SAME(name, function)                                                                                    \
    __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n    jmp " #function "@PLT\n");
__asm__(".text\n");
#include "same.def"
#undef HEDDLE_SAME

constexpr int kNotSupported = 801; // CUDA_ERROR_NOT_SUPPORTED
#define HEDDLE_UNSUPPORTED(name) HEDDLE_DEFINE_UNSUPPORTED(int, name, kNotSupported)
#include "unsupported_driver.def"
