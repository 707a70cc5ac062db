// cuBLAS by the names without "_v2"
#pragma once

#include "cublas_api.h"
