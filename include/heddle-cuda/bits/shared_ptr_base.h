// The C++ library's header of this name has an attribute __noinline__, which CUDA's macro of that name (host_defines.h)
// would break.
#pragma GCC system_header
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
