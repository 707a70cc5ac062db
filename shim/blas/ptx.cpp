// The PTX of the library's kernels, of which the build makes texts in the folder HEDDLE_PTX
#include "base/embedded_text.h"

HEDDLE_EMBED_TEXT(heddle_blas_gemm_real, HEDDLE_PTX "/gemm_real.ptx")
HEDDLE_EMBED_TEXT(heddle_blas_gemm_complex, HEDDLE_PTX "/gemm_complex.ptx")
HEDDLE_EMBED_TEXT(heddle_blas_gemm_narrow, HEDDLE_PTX "/gemm_narrow.ptx")
HEDDLE_EMBED_TEXT(heddle_blas_structured, HEDDLE_PTX "/structured.ptx")
HEDDLE_EMBED_TEXT(heddle_blas_gemv, HEDDLE_PTX "/gemv.ptx")
HEDDLE_EMBED_TEXT(heddle_blas_vectors, HEDDLE_PTX "/vectors.ptx")
HEDDLE_EMBED_TEXT(heddle_blas_reductions, HEDDLE_PTX "/reductions.ptx")
HEDDLE_EMBED_TEXT(heddle_blas_triangular, HEDDLE_PTX "/triangular.ptx")
HEDDLE_EMBED_TEXT(heddle_blas_elements, HEDDLE_PTX "/elements.ptx")
