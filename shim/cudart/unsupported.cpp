// Functions of the runtime that heddle does not serve yet.
#include "unsupported.h"

#include "state.h"

#define HEDDLE_UNSUPPORTED(name)                                                                                       \
    HEDDLE_DEFINE_UNSUPPORTED(cudaError_t, name, heddle::cudart::record(cudaErrorNotSupported))
#include "unsupported.def"
