// The types of EGL that CUDA's headers name
#pragma once
typedef int EGLint;
