// Names of the types of pointers to functions of the driver: PFN_NAME_vVERSION is the form of a function that a CUDA version
// brought (11.4: 11040), PFN_NAME that of CUDA 12.9.
#pragma once

// `name` is the type of the declared function.
#define HEDDLE_FUNCTION_TYPE(function, name) typedef __typeof__(&function) PFN_##name;
// The form that a program gets by the plain name
#define HEDDLE_LATEST_FUNCTION(function, version)                                                                                \
    typedef __typeof__(&function) PFN_##function##_v##version;                                                                   \
    typedef __typeof__(&function) PFN_##function;
