// The PTX of the library's kernels, of which the build makes a text in the folder HEDDLE_PTX
#include "embedded_ptx.h"

HEDDLE_EMBED_PTX(heddle_rand_generate, "generate.ptx")
