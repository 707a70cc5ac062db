// What the host passes to the kernels of libcublas. Read by both compilers.
#pragma once

namespace heddle::blas {

// A factor: its number is here, in f64, which holds the numbers of all types, or in memory of the device.
struct Scalar {
    double real, imaginary;
    const void* device; // null: it is here
    int is_half;        // at `device` is f16 where the kernel computes in f32
    int is_real;        // at `device` is a real number where the kernel computes in complex ones
    int conjugate;
};

enum Structure { kGeneral, kSymmetric, kHermitian, kTriangular };

// A matrix as it enters a product: element (i, j) is at base[i * row + j * column]. A transposed matrix has its steps
// exchanged.
struct Matrix {
    const void* base;
    const void* const* array; // of the batch, in place of `base`; null: batch b begins b * batch_step behind
    long long batch_step;
    long long row, column;
    int conjugate;
    Structure structure;
    int lower; // of a structure: the elements with i >= j are stored
    int unit;  // triangular: the diagonal is 1 and is not read
};

enum Part { kAll, kLower, kUpper };

// c = alpha a b + beta c; a has m rows and k columns, b has k rows and n columns
struct GemmParameters {
    Scalar alpha, beta;
    Matrix a, b, c;
    long long m, n, k, batches;
    Part part;         // of c that is written
    int real_diagonal; // of c: its imaginary part is written as 0
};

// A vector as it enters a kernel: element i is at base[first + i * step], also where the step is negative.
struct Vector {
    const void* base;
    const void* const* array;
    long long batch_step;
    long long first, step;
};

// y = alpha a x + beta y; a has m rows and n columns
struct GemvParameters {
    Scalar alpha, beta;
    Matrix a;
    Vector x, y;
    long long m, n, batches;
};

// a = alpha x y^T + a, and for `twice` + alpha y x^T
struct RankOneParameters {
    Scalar alpha, second_alpha;
    Vector x, y;
    Matrix a;
    long long m, n;
    Part part;
    int conjugate; // the transposed vectors
    int twice;
    int real_diagonal;
};

// b = alpha a^-1 b; a is lower triangular of n rows, and b has as many rows and `columns`
struct SolveParameters {
    Scalar alpha;
    Matrix a, b;
    long long begin_of_a, begin_of_b; // element (0, 0), in elements behind the bases: steps may be negative
    long long n, columns, batches;
};

// c = alpha a + beta b, element by element
struct AddParameters {
    Scalar alpha, beta;
    Matrix a, b, c;
    long long m, n;
};

// c = a, each row (or column) times an element of x
struct ScaleParameters {
    Matrix a, c;
    Vector x;
    long long m, n;
    int rows;
};

// Operations on vectors, element by element
struct VectorParameters {
    long long n;
    Vector x, y;
    Scalar alpha;        // of a rotation the cosine
    Scalar sine;         // of a rotation
    const void* numbers; // of a modified rotation, five in memory of the device; null: they are in `values`
    double values[5];
};

// The operands of a plane rotation that is computed, in memory of the device
struct RotationParameters {
    void *a, *b, *c, *s;
};

// The same of a modified rotation
struct ModifiedRotationParameters {
    void *d1, *d2, *x;
    const void* y;
    void* numbers;
};

// A sum over vectors in two steps: blocks write partial results, and one block makes the result of them.
struct ReductionParameters {
    long long n;
    Vector x, y;
    int conjugate;
    int index_is_64; // of the position of an extreme value
    void* partials;
    long long blocks; // that wrote them
    void* result;
};

} // namespace heddle::blas
