#include "ir/selection/matrix_product.h"

#include <algorithm>
#include <span>

#include "ir/isa/matrix_work.h"
#include "ir/selection/make_op.h"
#include "ir/selection/matrix_operands.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

constexpr std::size_t kPart = 4; // registers of a result that a micro-op writes, at most

void emit_product(FunctionLowering& f, Opcode opcode, const Matrix& matrix, const ProductPlaces& places,
                  std::span<const Place> results) {
    MicroOp op = make_matrix_op(f.places, opcode);
    op.domain = domain_of(matrix);
    std::copy(results.begin(), results.end(), op.dst.begin());
    op.src[0] = places.descriptor_a;
    op.src[1] = places.descriptor_b;
    op.src[2] = places.adds_c;
    op.src[4] = places.metadata;
    if (places.adds_negated)
        op.flags |= kSourceNegated;
    op.imm = static_cast<std::int64_t>(f.draft.matrices.size());
    f.draft.matrices.push_back(matrix);
    f.emitter.emit(op);
}

// Sets the fields and the sources of `x` for the part of the result from register `first` on. Returns the number of its
// registers.
std::size_t begin_part(Matrix& x, const ProductPlaces& places, std::size_t first) {
    const bool wgmma = x.b_in_memory.present;
    const bool alike = places.c.size() == places.d.size(); // a part of d needs only the part of c of the same registers
    const std::size_t n = std::min(wgmma ? x.d.registers() : kPart, places.d.size() - first);
    const std::span<const Place> part = std::span(places.c).subspan(alike ? first : 0, alike ? n : places.c.size());
    if (wgmma) {
        x.first_column = static_cast<std::uint8_t>(first / n * x.d.columns());
    } else {
        x.first = static_cast<std::uint8_t>(first);
        x.first_c = static_cast<std::uint8_t>(alike ? first : 0);
    }
    x.c_registers = static_cast<std::uint8_t>(part.size());
    auto* next = std::copy(places.a.begin(), places.a.end(), x.source.begin());
    next = std::copy(places.b.begin(), places.b.end(), next);
    std::copy(part.begin(), part.end(), next);
    return n;
}

} // namespace

void multiply_in_parts(FunctionLowering& f, Opcode opcode, const Matrix& matrix, const ProductPlaces& places) {
    Matrix x = matrix;
    const bool alike = places.c.size() == places.d.size();
    std::vector<std::pair<Place, Place>> moves;
    for (std::size_t first = 0; first < places.d.size();) {
        const std::size_t n = begin_part(x, places, first);
        const std::span<const Place> own = std::span(places.d).subspan(first, n);
        first += n;
        std::vector<Place> results(own.begin(), own.end());
        // A register that a later part reads is written after the last part.
        const std::span<const Place> later =
            first == places.d.size() ? std::span<const Place>{} : std::span(places.c).subspan(alike ? first : 0);
        for (Place& result : results) {
            const auto is_read = [&](std::span<const Place> by) {
                return std::find(by.begin(), by.end(), result) != by.end();
            };
            const bool read_once_more =
                is_read(places.a) || is_read(places.b) || is_read(later) || result == places.metadata;
            if (first == places.d.size() || !read_once_more)
                continue;
            moves.emplace_back(result, f.places.temporary(type_of_registers(x.d)));
            result = moves.back().second;
        }
        emit_product(f, opcode, x, places, results);
    }
    for (const auto& [to, from] : moves)
        emit_copy(f, to, from);
}

} // namespace heddle::ir
