// The PTX of the library's kernels, of which the build makes texts in the folder HEDDLE_PTX
#include "embedded_ptx.h"

HEDDLE_EMBED_PTX(heddle_blas_gemm_real, "gemm_real.ptx")
HEDDLE_EMBED_PTX(heddle_blas_gemm_complex, "gemm_complex.ptx")
HEDDLE_EMBED_PTX(heddle_blas_gemm_narrow, "gemm_narrow.ptx")
HEDDLE_EMBED_PTX(heddle_blas_structured, "structured.ptx")
HEDDLE_EMBED_PTX(heddle_blas_gemv, "gemv.ptx")
HEDDLE_EMBED_PTX(heddle_blas_vectors, "vectors.ptx")
HEDDLE_EMBED_PTX(heddle_blas_reductions, "reductions.ptx")
HEDDLE_EMBED_PTX(heddle_blas_triangular, "triangular.ptx")
HEDDLE_EMBED_PTX(heddle_blas_elements, "elements.ptx")
