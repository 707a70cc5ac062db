#include "managed.h"

__managed__ int far_values[2] = {1, 2};
static __managed__ int of_a_file = 1; // not the one of the other file

__global__ void change() {
    ++shared_by_files;
    far_values[1] += of_a_file;
    ++of_a_file;
}

void far_away() {
    change<<<1, 1>>>();
    cudaDeviceSynchronize();
    ++shared_by_files;
    --far_values[0];
    far_values[1] += of_a_file - 1;
}
