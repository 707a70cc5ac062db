// The directions of rounding that conversions to small formats take.
#pragma once

#define __DEVICE_TYPES_H__ // programs test this name of NVIDIA's header

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
