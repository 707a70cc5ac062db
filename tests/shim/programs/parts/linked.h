// The common declarations of linked.cu and linked_far.cu.
#pragma once

struct Shape {
    __device__ virtual int corners() const = 0;
};
struct Square : Shape {
    __device__ int corners() const override;
};

extern __device__ int counter;
extern __constant__ int factors[4];
__device__ int scaled(int x);
__device__ int* numbers(int count);
__device__ int apply(int (*function)(int), int x);

template <int N>
__global__ void add(int* sum) { // in both files: weak
    atomicAdd(sum, N);
}

int far_hidden(); // by a kernel of the other file
int far_sum();    // add<5> launched there
