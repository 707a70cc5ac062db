// The PTX of the library's kernels, of which the build makes a text in the folder HEDDLE_PTX
#include "base/embedded_text.h"

HEDDLE_EMBED_TEXT(heddle_rand_generate, HEDDLE_PTX "/generate.ptx")
