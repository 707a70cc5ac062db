// Products of matrices that the threads of a PTX warp hold together (wmma, mma, wgmma), and the elements that each
// thread holds.
//
// A thread's part of a matrix, its fragment, is some 32-bit registers, of f64 64-bit ones; narrow elements lie in them
// from the lowest bit up. PTX defines the elements for mma, and leaves them open for wmma. In heddle a fragment of wmma
// has its elements in groups of up to four registers: group j of thread t holds the elements from number (32 j + t) x
// (elements of a group) on, modulo the size of the matrix, so that a matrix smaller than all fragments is held several
// times. The elements of a and b are numbered in the order of memory, the elements of accumulators row by row.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "ir/micro_op.h"

namespace heddle::ir {

enum class Element : std::uint8_t { F16, BF16, TF32, F32, F64, S32, S8, U8, S4, U4, B1, E4M3, E5M2 };
[[nodiscard]] unsigned bits_of(Element); // in a register and in memory
[[nodiscard]] std::string_view name_of(Element);

struct MatrixShape {
    std::uint8_t m = 0;
    std::uint16_t n = 0, k = 0;
    bool operator==(const MatrixShape&) const = default;
};

enum class MatrixRole : std::uint8_t { A, B, Accumulator };

// One of the matrices of an instruction.
struct Fragment {
    MatrixRole role = MatrixRole::A;
    Element element = Element::F16;
    MatrixShape shape;
    bool by_rows = true; // A and B: .row
    bool wmma = false;   // else the layout of mma

    [[nodiscard]] unsigned rows() const;
    [[nodiscard]] unsigned columns() const;
    // 1; 4 for mma.m8n8k4 of f16, in which each group of eight threads has a matrix.
    [[nodiscard]] unsigned matrices() const;
    [[nodiscard]] unsigned registers() const; // of a thread
    [[nodiscard]] unsigned per_register() const {
        return bits_of(element) < 32 ? 32 / bits_of(element) : 1;
    }
    // Elements of one line as it lies in memory (wmma only).
    [[nodiscard]] unsigned line() const {
        return role == MatrixRole::Accumulator || by_rows ? columns() : rows();
    }
    // Elements of a group of registers (wmma only).
    [[nodiscard]] unsigned group() const {
        return (registers() < 4 ? registers() : 4) * per_register();
    }
    struct Position {
        unsigned matrix, row, column;
    };
    // Of element `i` of a thread, counted over its registers.
    [[nodiscard]] Position position(unsigned lane, unsigned i) const;

private:
    [[nodiscard]] Position wmma_position(unsigned lane, unsigned i) const;
    [[nodiscard]] Position quad_position(unsigned lane, unsigned i) const;
};

// Where a factor of wgmma lies in shared memory is said by a descriptor, the operand of the instruction.
struct SharedFactor {
    bool present = false; // else the factor is a fragment
    bool along_k = true;  // lines of memory run along k, else along m or n (transposed)
};

// The product of a micro-op Wmma, Mma or Wgmma: D = A x B + C; the micro-op writes the registers of a thread from
// `first` on. A micro-op of wgmma multiplies the 16 rows of A that belong to its warp by eight columns of B.
struct Matrix {
    static constexpr unsigned kMostRegisters = 8; // of a fragment

    Fragment a, b, c, d;
    // A has half of the elements of its rows; metadata say which of them. `a` has the shape of the elements that exist.
    bool sparse = false;
    std::uint8_t selector = 0; // of sparse matrices: the threads with the metadata
    // wgmma
    SharedFactor a_in_memory, b_in_memory;
    std::uint8_t first_column = 0; // of B and D
    bool negate_a = false, negate_b = false;

    bool saturate = false;            // .satfinite
    Rounding rounding = Rounding::Rn; // of f64
    bool both = false;                // single bits: .and.popc, else .xor.popc
    std::uint8_t first = 0;
    // The micro-op reads `c_registers` registers of C from `first_c` on, and all registers of A and B (none of a factor
    // in shared memory).
    std::uint8_t first_c = 0, c_registers = 0;
    // Registers of A, then B, then C.
    std::array<Place, 3 * kMostRegisters> source{};

    [[nodiscard]] unsigned a_registers() const {
        return a_in_memory.present ? 0 : a.registers();
    }
    [[nodiscard]] unsigned b_registers() const {
        return b_in_memory.present ? 0 : b.registers();
    }
    [[nodiscard]] unsigned sources() const {
        return a_registers() + b_registers() + c_registers;
    }
    // Cycles that a lane's share of this micro-op's multiply-adds takes, where it does a 4-wide dot product of f16,
    // bf16 or 8-bit elements, a 2-wide one of tf32, an 8-wide one of 4-bit integers, a 32-wide one of bits, or a single
    // multiply-add of f64 in each. Elements of sparse matrices that are zeros take no time.
    [[nodiscard]] unsigned cycles() const;
};

// The metadata of a sparse matrix A: four bits for each chunk of a row, and two rows with each four consecutive
// threads.
struct Metadata {
    Element element = Element::F16;
    unsigned chunks = 0; // of a row

    // Threads of each four that hold metadata; `selector` times as many come before them.
    [[nodiscard]] unsigned threads() const {
        return chunks / 4;
    }
    [[nodiscard]] unsigned selectors() const {
        return 4 / threads();
    }
    struct Position {
        unsigned lane, bit; // the lowest of the four bits
    };
    // Of a chunk in row `row` of 16.
    [[nodiscard]] Position position(unsigned selector, unsigned row, unsigned chunk) const;
    // The column of element `i` of a row, counted without zeros, from the four bits of its chunk.
    [[nodiscard]] unsigned column(unsigned i, unsigned bits) const;
    // The chunk of element `i` of a row, counted without zeros.
    [[nodiscard]] unsigned chunk_of(unsigned i) const;
};
[[nodiscard]] Metadata metadata_of(const Matrix&);

// Whether PTX has the matrix for wmma, and the product.
[[nodiscard]] bool wmma_exists(const Fragment&);
[[nodiscard]] bool exists(const Matrix&);
// Whether PTX has the product for wgmma. `shape`: of the instruction.
[[nodiscard]] bool wgmma_exists(const Matrix&, MatrixShape shape);

// The begin of a thread's piece of a matrix: a micro-op WmmaAddress gives
//   src[0] + (line * src[1] + place) * bits / 8,   src[1]: the distance of lines in elements
// with number = (start + thread * apart) mod 2^size;   line = number / 2^line, place the rest; or, transposed,
// line = the rest + step, place = number / 2^line.
struct PieceOfMatrix {
    std::uint16_t start = 0;
    std::uint8_t apart = 0; // binary logarithms
    std::uint8_t size = 0;
    std::uint8_t line = 0;
    std::uint8_t bits = 0;
    std::uint8_t step = 0;
    bool transposed = false;
};

} // namespace heddle::ir
