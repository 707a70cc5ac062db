// All that a format of half precision has. cuda_fp16.h and cuda_bf16.h include it once each, for the format that these
// macros name:
//   HEDDLE_T, HEDDLE_T2, HEDDLE_RAW, HEDDLE_RAW2   the types of a number, of a pair, and of the bits of both
//   HEDDLE_FORMAT                                  the heddle_half::Format
//   HEDDLE_T_PTX                                   its name in PTX, a string
//   HEDDLE_T_HAS_SAT                               1 where PTX has arithmetic with .sat
//   HEDDLE_T_NAME(before, after)                   a function's name: the format's word between two parts
//   HEDDLE_T_TWICE                                 the name of the function that makes a pair of one number
// clang-format off
#include "half_types.h"
#include "half_convert.h"
#include "half_arithmetic.h"
#include "half_compare.h"
#include "half_pairs.h"
#ifdef __CUDA__
#include "half_device.h"
#endif
// clang-format on

#undef HEDDLE_T
#undef HEDDLE_T2
#undef HEDDLE_RAW
#undef HEDDLE_RAW2
#undef HEDDLE_FORMAT
#undef HEDDLE_T_PTX
#undef HEDDLE_T_HAS_SAT
#undef HEDDLE_T_NAME
#undef HEDDLE_T_TWICE
