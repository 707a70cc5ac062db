#include "ir/isa/matrix.h"

#include <algorithm>

#include "ir/isa/matrix_work.h"

namespace heddle::ir {

namespace {

bool is_integer(Element e) {
    return e >= Element::S32 && e <= Element::B1;
}

bool is_of_8_bits(Element e) { // floating point
    return e == Element::E4M3 || e == Element::E5M2;
}

// The types of accumulators of floating-point products.
bool sums_in(Element products, Element sum) {
    switch (products) {
    case Element::F16:
    case Element::E4M3:
    case Element::E5M2:
        return sum == Element::F16 || sum == Element::F32;
    case Element::BF16:
    case Element::TF32:
        return sum == Element::F32;
    case Element::F64:
        return sum == Element::F64;
    default:
        return false;
    }
}

// Multiply-adds of a lane in a cycle (Matrix in matrix.h).
unsigned multiply_adds_at_once(Element element) {
    switch (element) {
    case Element::B1:
        return 32;
    case Element::S4:
    case Element::U4:
        return 8;
    case Element::TF32:
        return 2;
    case Element::F64:
        return 1;
    default:
        return 4;
    }
}

bool is_one_of(MatrixShape shape, std::initializer_list<MatrixShape> shapes) {
    return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
}

// mma.sp.
bool sparse_exists(const Matrix& x) {
    const MatrixShape shape = x.b.shape;
    if (!x.a.by_rows || x.b.by_rows || x.c.element != x.d.element)
        return false;
    if (is_of_8_bits(x.a.element))
        return shape == MatrixShape{16, 8, 64} && x.d.element == Element::F32;
    switch (bits_of(x.a.element)) {
    case 32:
        return is_one_of(shape, {{16, 8, 8}, {16, 8, 16}});
    case 16:
        return is_one_of(shape, {{16, 8, 16}, {16, 8, 32}});
    case 8:
        return is_one_of(shape, {{16, 8, 32}, {16, 8, 64}});
    case 4:
        return is_one_of(shape, {{16, 8, 64}, {16, 8, 128}});
    default:
        return false;
    }
}

bool mma_exists(const Matrix& x) {
    if (x.sparse)
        return sparse_exists(x);
    const MatrixShape shape = x.a.shape;
    if (shape == MatrixShape{8, 8, 4} && x.a.element == Element::F16)
        return x.d.element == Element::F32 || x.c.element == Element::F16;
    if (!x.a.by_rows || x.b.by_rows || x.c.element != x.d.element)
        return false;
    if (is_of_8_bits(x.a.element))
        return is_one_of(shape, {{16, 8, 16}, {16, 8, 32}});
    switch (bits_of(x.a.element)) {
    case 64:
        return is_one_of(shape, {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}});
    case 32:
        return is_one_of(shape, {{16, 8, 4}, {16, 8, 8}});
    case 16:
        return is_one_of(shape, {{16, 8, 8}, {16, 8, 16}});
    case 8:
        return is_one_of(shape, {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}});
    case 4:
        return is_one_of(shape, {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}});
    case 1:
        return is_one_of(shape, {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}});
    default:
        return false;
    }
}

} // namespace

unsigned bits_of(Element element) {
    switch (element) {
    case Element::F64:
        return 64;
    case Element::F32:
    case Element::TF32:
    case Element::S32:
        return 32;
    case Element::F16:
    case Element::BF16:
        return 16;
    case Element::S8:
    case Element::U8:
    case Element::E4M3:
    case Element::E5M2:
        return 8;
    case Element::S4:
    case Element::U4:
        return 4;
    case Element::B1:
        return 1;
    }
    return 0;
}

std::string_view name_of(Element element) {
    static constexpr std::string_view kNames[] = {"f16", "bf16", "tf32", "f32", "f64",  "s32", "s8",
                                                  "u8",  "s4",   "u4",   "b1",  "e4m3", "e5m2"};
    return kNames[static_cast<std::size_t>(element)];
}

unsigned Fragment::rows() const {
    return role == MatrixRole::B ? shape.k : shape.m;
}

unsigned Fragment::columns() const {
    return role == MatrixRole::A ? shape.k : shape.n;
}

unsigned Fragment::matrices() const {
    return !wmma && shape == MatrixShape{8, 8, 4} && element != Element::F64 ? 4 : 1;
}

unsigned Fragment::registers() const {
    if (wmma && element == Element::F16 && role != MatrixRole::Accumulator)
        return 8; // for every shape
    return matrices() * rows() * columns() / (kPtxWarp * per_register());
}

// The layout of wmma (see the head of matrix.h).
Fragment::Position Fragment::wmma_position(unsigned lane, unsigned i) const {
    const unsigned number = (i / group() * kPtxWarp + lane) * group() + i % group();
    const unsigned at = number % (rows() * columns());
    if (role == MatrixRole::Accumulator || by_rows)
        return {0, at / columns(), at % columns()};
    return {0, at % rows(), at / rows()};
}

// PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type": threads 4 q to 4 q + 3 and those 16 further
// on have matrices q.
Fragment::Position Fragment::quad_position(unsigned lane, unsigned i) const {
    const unsigned matrix = lane / 4 % 4;
    const unsigned high = lane < 16 ? 0 : 4;
    const unsigned in_quad = lane % 4;
    if (role == MatrixRole::Accumulator && element == Element::F32)
        return {matrix, (lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)};
    if (role == MatrixRole::Accumulator)
        return {matrix, in_quad + high, i};
    if (role == MatrixRole::A)
        return by_rows ? Position{matrix, in_quad + high, i} : Position{matrix, i + high, in_quad};
    return by_rows ? Position{matrix, in_quad, i + high} : Position{matrix, i, in_quad + high};
}

// PTX ISA, "Matrix Fragments for mma.m8n8k16" and so on: what the shapes have in common. A thread holds a register of
// consecutive elements of k in row (A) or column (B) lane / 4, of A again 8 rows further on, then of both four
// registers further on in k; accumulators hold pairs of columns. The fragments of wgmma are the same for the 16 rows of
// a warp.
Fragment::Position Fragment::position(unsigned lane, unsigned i) const {
    if (wmma)
        return wmma_position(lane, i);
    if (matrices() == 4)
        return quad_position(lane, i);
    const unsigned group_id = lane / 4, in_group = lane % 4;
    const unsigned r = i / per_register(), e = i % per_register();
    if (role == MatrixRole::Accumulator)
        return {0, group_id + 8 * (i / 2), 2 * in_group + i % 2};
    if (role == MatrixRole::B)
        return {0, (in_group + 4 * r) * per_register() + e, group_id};
    const unsigned down = shape.m == 16 ? r % 2 : 0, along = shape.m == 16 ? r / 2 : r;
    return {0, group_id + 8 * down, (in_group + 4 * along) * per_register() + e};
}

unsigned Matrix::cycles() const {
    return std::max(1U, multiply_adds(*this) / (kPtxWarp * multiply_adds_at_once(a.element)));
}

unsigned multiply_adds(const Matrix& matrix) {
    const MatrixShape shape = matrix.a.shape;
    const unsigned all = matrix.a.matrices() * shape.m * shape.n * shape.k;
    return matrix.d.registers() > 4 ? all / 2 : all;
}

Domain domain_of(const Matrix& matrix) {
    return matrix.d.element == Element::F64   ? Domain::F64
           : matrix.d.element == Element::S32 ? Domain::Int
                                              : Domain::F32;
}

bool wmma_exists(const Fragment& f) {
    const bool large = is_one_of(f.shape, {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}});
    const bool of_tf32 = f.shape == MatrixShape{16, 16, 8}, of_f64 = f.shape == MatrixShape{8, 8, 4};
    if (f.role == MatrixRole::Accumulator)
        switch (f.element) {
        case Element::F16:
            return large;
        case Element::F32:
            return large || of_tf32;
        case Element::F64:
            return of_f64;
        case Element::S32:
            return large || is_one_of(f.shape, {{8, 8, 32}, {8, 8, 128}});
        default:
            return false;
        }
    const bool by_k = f.by_rows == (f.role == MatrixRole::A); // the only layout of narrow types
    switch (bits_of(f.element)) {
    case 64:
        return of_f64;
    case 32:
        return f.element == Element::TF32 && of_tf32;
    case 16:
    case 8:
        return large;
    case 4:
        return by_k && f.shape == MatrixShape{8, 8, 32};
    case 1:
        return by_k && f.shape == MatrixShape{8, 8, 128};
    default:
        return false;
    }
}

namespace {

// Whether elements of the types are multiplied and added.
bool types_fit(const Matrix& x) {
    const bool alike = x.a.element == x.b.element || (is_of_8_bits(x.a.element) && is_of_8_bits(x.b.element));
    const bool floats = alike && sums_in(x.a.element, x.c.element) && sums_in(x.a.element, x.d.element);
    const bool integers = is_integer(x.a.element) && is_integer(x.b.element) && bits_of(x.a.element) < 32 &&
                          bits_of(x.a.element) == bits_of(x.b.element) && x.c.element == Element::S32 &&
                          x.d.element == Element::S32;
    return floats || integers;
}

} // namespace

bool exists(const Matrix& x) {
    if (!types_fit(x))
        return false;
    return x.a.wmma ? wmma_exists(x.a) && wmma_exists(x.b) && wmma_exists(x.c) && wmma_exists(x.d) : mma_exists(x);
}

bool wgmma_exists(const Matrix& x, MatrixShape shape) {
    const unsigned n = shape.n;
    if (!types_fit(x) || shape.m != 64 || n == 0 || n % 8 != 0 || n > 256)
        return false;
    const unsigned bits = shape.k * bits_of(x.a.element); // of a column of B
    if (bits != (x.sparse ? 512 : 256))
        return false;
    switch (x.a.element) {
    case Element::F16:
    case Element::BF16:
    case Element::TF32:
    case Element::E4M3:
    case Element::E5M2:
        return true;
    case Element::S8:
    case Element::U8:
        return n <= 32 || n % 16 == 0;
    case Element::B1:
        return !x.sparse && x.both && (n <= 32 || n % 16 == 0);
    default:
        return false;
    }
}

Metadata metadata_of(const Matrix& x) {
    const unsigned in_chunk = x.a.element == Element::TF32 ? 2 : bits_of(x.a.element) == 4 ? 8 : 4;
    return {x.a.element, x.b.shape.k / in_chunk};
}

// PTX ISA, figures "metadata layout": of 16 bits and more, a thread has four chunks of row lane / 4 and of the row
// eight further down; of fewer bits, a thread has eight chunks of one of these rows.
Metadata::Position Metadata::position(unsigned selector, unsigned row, unsigned chunk) const {
    const unsigned first = row % 8 * 4 + selector * threads(), low = row / 8;
    if (bits_of(element) >= 16)
        return {first + chunk / 4, 16 * low + 4 * (chunk % 4)};
    return {first + low + 2 * (chunk / 8), 4 * (chunk % 8)};
}

unsigned Metadata::chunk_of(unsigned i) const {
    return element == Element::TF32 ? i : bits_of(element) == 4 ? i / 4 : i / 2;
}

// PTX ISA, "Sparse matrix storage": two numbers of two bits, of two elements of four, or of two pairs of eight elements
// of four bits; of tf32 0b1110 is the second element of two, and 0b0100 the first.
unsigned Metadata::column(unsigned i, unsigned bits) const {
    if (element == Element::TF32)
        return 2 * i + (bits >> 1 & 1);
    if (bits_of(element) == 4)
        return 8 * (i / 4) + 2 * (bits >> (i & 2) & 3) + i % 2;
    return 4 * (i / 2) + (bits >> (2 * (i % 2)) & 3);
}

} // namespace heddle::ir
