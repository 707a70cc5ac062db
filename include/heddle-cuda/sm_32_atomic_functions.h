// Everything this header of CUDA declares is in cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
