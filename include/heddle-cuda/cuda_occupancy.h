// Thrust includes this header without using it. What CUDA's declares, the calculation of occupancy on the host without a
// device, is not here: cudaOccupancyMaxActiveBlocksPerMultiprocessor() and its kin are in cuda_runtime_api.h.
#pragma once
