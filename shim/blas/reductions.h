// Numbers that are computed of whole vectors. `result` is in memory of the host or of the device, by the pointer mode.
#pragma once

#include "operands.h"

namespace heddle::blas {

// The sum of x y; conjugate: of the conjugated x and y
cublasStatus_t dot(cublasHandle_t, std::int64_t n, const VectorOperand& x, const VectorOperand& y, const Factor& result,
                   bool conjugate);
// The square root of the sum of squares
cublasStatus_t nrm2(cublasHandle_t, std::int64_t n, const VectorOperand& x, const Factor& result);
// The sum of magnitudes; of a complex number the sum of its parts' magnitudes
cublasStatus_t asum(cublasHandle_t, std::int64_t n, const VectorOperand& x, const Factor& result);
// The position, from 1, of the largest ("amax") or smallest ("amin") of these magnitudes
cublasStatus_t extreme(cublasHandle_t, const char* which, std::int64_t n, const VectorOperand& x, void* result,
                       std::size_t bytes);

// The same with types that the caller names
cublasStatus_t dot_ex(cublasHandle_t, std::int64_t n, const VectorOperand& x, const VectorOperand& y,
                      const Factor& result, bool conjugate, cudaDataType execution);
cublasStatus_t nrm2_ex(cublasHandle_t, std::int64_t n, const VectorOperand& x, const Factor& result,
                       cudaDataType execution);
cublasStatus_t asum_ex(cublasHandle_t, std::int64_t n, const VectorOperand& x, const Factor& result,
                       cudaDataType execution);

} // namespace heddle::blas
