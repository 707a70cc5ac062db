// The types of OpenGL that CUDA's headers name
#pragma once
typedef unsigned int GLenum;
typedef unsigned int GLuint;
