// The name of nvtx3/nvToolsExt.h in CUDA 12 and before.
#pragma once

#include "nvtx3/nvToolsExt.h"
