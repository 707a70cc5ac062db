// The driver API is not served. This header exists for programs that include it for the runtime's types.
#pragma once

#include "cuda_runtime_api.h"
