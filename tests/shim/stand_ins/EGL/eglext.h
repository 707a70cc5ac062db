// The types of EGL's extensions that CUDA's headers name
#pragma once
typedef void* EGLImageKHR;
typedef void* EGLStreamKHR;
typedef void* EGLSyncKHR;
