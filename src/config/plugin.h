// What a plug-in says of itself (docs/plug-ins.md). One source file of it has, at file scope,
//
//   HEDDLE_PLUGIN("thinnest", "a scheduler that prefers units with few threads")
//
// heddle reads this mark in the file before it loads it, and refuses a plug-in that was built for another heddle.
#pragma once

#include <string> // the macros of the C++ library

#include "config/abi.h"

#if defined(_LIBCPP_VERSION)
#define HEDDLE_CXX_LIBRARY "libc++"
#elif defined(_GLIBCXX_DEBUG)
#define HEDDLE_CXX_LIBRARY "libstdc++ for debugging"
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define HEDDLE_CXX_LIBRARY "libstdc++ of before C++11"
#else
#define HEDDLE_CXX_LIBRARY "libstdc++"
#endif

// What has to be equal in a plug-in and in heddle.
#define HEDDLE_ABI "heddle " HEDDLE_VERSION ", headers " HEDDLE_HEADERS ", " HEDDLE_CXX_LIBRARY
// The mark is this word and three lines: the ABI, the name, the meaning.
#define HEDDLE_PLUGIN_WORD "\x7fheddle plug-in\n"

#define HEDDLE_PLUGIN(name, meaning)                                                                                   \
    extern "C" __attribute__((visibility("default"))) const char heddle_plugin[];                                      \
    extern "C" __attribute__((used)) const char heddle_plugin[] =                                                      \
        HEDDLE_PLUGIN_WORD HEDDLE_ABI "\n" name "\n" meaning "\n";
