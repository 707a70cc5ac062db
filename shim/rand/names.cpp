// Functions of cuRAND that heddle does not serve
#include "unsupported.h"

constexpr int kTypeError = 103; // CURAND_STATUS_TYPE_ERROR
#define HEDDLE_UNSUPPORTED(name) HEDDLE_DEFINE_UNSUPPORTED(int, name, kTypeError)
#include "unsupported_rand.def"
