// Managed variables of all kinds in two files (-rdc=true), pointers and references to them and to their elements.
// Static variables that kernels use before the program does.
// OPTIONS: -rdc=true
// ALSO: parts/managed_far.cu
// EXPECT: sum 190, 2 of each of the low four, 20 in all
// EXPECT: name abcdef, values 1 2 193
// EXPECT: wide -2
// EXPECT: template 3 1.5, hidden 8
// EXPECT: far 12 9 4
// EXPECT: through a pointer 17 17
// EXPECT: cleared 0, 64 bytes
// EXPECT: static 4
#include <cstdio>
#include <cstring>

#include "parts/managed.h"

struct Node {
    int value;
    Node* next;
};
struct Record {
    double values[3];
    char name[16];
};
template <class T>
__managed__ T of = 1;
namespace {
__managed__ int hidden = 7;
}
__device__ __managed__ Node* head;
__managed__ Record record = {{1, 2, 3}, "abc"};
__managed__ unsigned counts[16];
__managed__ volatile int sum;
__managed__ long long wide = -1;
__managed__ int shared_by_files = 10;
static __managed__ int of_a_file = 8;
static __device__ int plain = 3;

__global__ void walk() {
    int all = 0;
    for (Node* node = head; node != nullptr; node = node->next) {
        all += node->value;
        ++counts[node->value & 15];
    }
    sum = all;
    record.values[2] += all;
    wide *= 2;
    of<int> += 2;
    of<float> += 0.5f;
    ++hidden;
    ++of_a_file;
    ++plain;
}
__global__ void add(int* to) {
    *to += 5;
}

static unsigned total(const unsigned* values, unsigned n) {
    return n == 0 ? 0 : values[0] + total(values + 1, n - 1);
}

int main() {
    for (int i = 0; i < 20; ++i) {
        Node* node = nullptr;
        cudaMallocManaged(&node, sizeof *node);
        node->value = i;
        node->next = head;
        head = node;
    }
    walk<<<1, 1>>>();
    cudaDeviceSynchronize();
    unsigned(*all)[16] = &counts;
    const unsigned& third = counts[3];
    std::printf("sum %d, %u of each of the low four, %u in all\n", sum,
                ((*all)[0] + counts[1] + *(counts + 2) + third) / 4, total(sum != 0 ? counts : nullptr, 16));
    std::memcpy(record.name + 3, "def", 4);
    std::printf("name %s, values %g %g %g\n", record.name, record.values[0], record.values[1], record.values[2]);
    std::printf("wide %lld\n", wide);
    std::printf("template %d %g, hidden %d\n", of<int>, of<float>, hidden);
    far_away();
    std::printf("far %d %d %d\n", shared_by_files, of_a_file, far_values[1]);
    int* const pointer = &shared_by_files;
    add<<<1, 1>>>(pointer);
    cudaDeviceSynchronize();
    std::printf("through a pointer %d %d\n", *pointer, shared_by_files);
    cudaMemset(counts, 0, sizeof counts);
    std::printf("cleared %u, %zu bytes\n", total(counts, 16), sizeof counts);
    int value = 0;
    cudaMemcpyFromSymbol(&value, plain, sizeof value);
    std::printf("static %d\n", value);
}
