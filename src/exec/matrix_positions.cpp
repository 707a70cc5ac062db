#include "exec/matrix_positions.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

namespace heddle::exec {

namespace {

using ir::Element;
using ir::Fragment;
using ir::MatrixRole;

std::uint16_t index_of(const Fragment& f, unsigned lane, unsigned i) {
    const Fragment::Position at = f.position(lane, i);
    if (f.element != Element::B1)
        return static_cast<std::uint16_t>((at.matrix * f.rows() + at.row) * f.columns() + at.column);
    const unsigned line = f.role == MatrixRole::A ? at.row : at.column;
    const unsigned k = f.role == MatrixRole::A ? at.column : at.row;
    return static_cast<std::uint16_t>((line * f.shape.k + k) / 32);
}

// One table for all fragments of a kind; kept until the process ends.
const std::vector<std::uint16_t>& table_of(const Fragment& f) {
    using Key = std::tuple<MatrixRole, Element, unsigned, unsigned, unsigned, bool, bool>;
    static std::mutex mutex;
    static std::map<Key, std::vector<std::uint16_t>> tables;
    const std::lock_guard lock(mutex);
    std::vector<std::uint16_t>& table = tables[{f.role, f.element, f.shape.m, f.shape.n, f.shape.k, f.by_rows, f.wmma}];
    if (!table.empty())
        return table;
    const unsigned bits = f.per_register();
    const unsigned per_register = f.element == Element::B1 ? 1 : bits;
    for (unsigned r = 0; r < f.registers(); ++r)
        for (unsigned lane = 0; lane < kPtxWarp; ++lane)
            for (unsigned e = 0; e < per_register; ++e)
                table.push_back(index_of(f, lane, r * bits + e));
    return table;
}

} // namespace

MatrixPositions positions_of(const ir::Matrix& matrix) {
    MatrixPositions out{table_of(matrix.a).data(), table_of(matrix.b).data(), table_of(matrix.c).data(),
                        table_of(matrix.d).data()};
    out.first_row = matrix.d.shape.m;
    const unsigned each = matrix.d.per_register();
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        for (unsigned i = matrix.first * each; i < std::min(matrix.first + 4U, matrix.d.registers()) * each; ++i) {
            const auto row = static_cast<std::uint16_t>(matrix.d.position(lane, i).row);
            out.first_row = std::min(out.first_row, row);
            out.end_row = std::max<std::uint16_t>(out.end_row, row + 1);
        }
    return out;
}

} // namespace heddle::exec
