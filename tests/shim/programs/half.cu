// Half precision: cuda_fp16.h on the device and on the host.
// EXPECT: host: 0 wrong of 20000
// EXPECT: device: 0 wrong of 20000
// EXPECT: pairs: 0 wrong of 20000
// EXPECT: conversions: 0 wrong
// EXPECT: functions: 0 wrong
// EXPECT: constants: 0000 8000 3c00 7c00 7fff 7bff 0001
// EXPECT: sums: 192 96 192
#include <cuda_fp16.h>

#define NUMBER __half
#define PAIR __half2
#define NAME(before, after) before##half##after
#define CONSTANT(name) CUDART_##name##_FP16
#define DIGITS 10
#define EXPONENT_BITS 5
#include "half_checks.h"

struct Open : __half { // as libcu++ derives types
    using __half::__x;
};
static_assert(sizeof(Open) == sizeof(__half), "of 16 bits");

int main() {
    return check_all();
}
