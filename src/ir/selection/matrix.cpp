// Matrix instructions: wmma, mma, ldmatrix, movmatrix.
//
// A product is one micro-op for each four registers of its result. ldmatrix is an ordinary load between two exchanges.
#include <algorithm>

#include <fmt/format.h>

#include "ir/selection/select.h"

namespace heddle::ir {

namespace {

constexpr std::size_t kPart = 4; // registers of a result that a micro-op gives

Type type_of_registers(const Fragment& f) {
    return f.element == Element::F64 ? Type::F64 : f.element == Element::F32 ? Type::F32 : Type::B32;
}

} // namespace

void Selector::select_matrix(Opcode opcode) {
    const MatrixWords words = read_matrix_words(*now_);
    if (!words.unknown.empty())
        return error(position_of(words.unknown, *now_, *context_.unit.text().source),
                     fmt::format("'.{}' is out of place in '{}'", words.unknown, text()));
    if (words.newer)
        return placeholder(opcode);
    if (!words.sync)
        return error(now_->where, fmt::format("'{}' needs .sync.aligned: all threads of a warp take part", text()));
    switch (opcode) {
    case Opcode::Ldmatrix:
        return select_ldmatrix(words);
    case Opcode::Movmatrix:
        return select_movmatrix(words);
    case Opcode::Mma:
        return select_product(opcode, words);
    default:
        if (words.action == MatrixWords::Action::Multiply)
            return select_product(opcode, words);
        return select_wmma_access(words);
    }
}

// All threads of the warp are to be here.
void Selector::wait_for_warp() {
    MicroOp op;
    op.opcode = Opcode::WarpBarrier;
    op.kind = Kind::WarpSync;
    op.work = info(Opcode::WarpBarrier).work;
    op.flags = kHasMask;
    op.src[3] = constant(~0U);
    emit(op);
}

std::optional<std::vector<Place>> Selector::fragment_registers(const Operand& operand, const Fragment& fragment,
                                                               bool written) {
    const std::vector<Operand> list = elements(operand, fragment.registers());
    std::vector<Place> places;
    for (const Operand& element : list) {
        const Type type = type_of_registers(fragment);
        const std::optional<Place> place = written ? destination(element, type) : source(element, type);
        if (!place)
            return std::nullopt;
        places.push_back(*place);
    }
    if (list.empty())
        return std::nullopt;
    return places;
}

// Base and space of a matrix in memory; `op` becomes an access without data.
bool Selector::matrix_base(const Operand& operand, bool shared_only, MicroOp& op) {
    op.work = Work::Memory;
    std::uint8_t bytes = 8;
    if (!base(operand, op, bytes))
        return false;
    op.src_bytes = bytes;
    if (op.src[0] == kNowhere) // an absolute address
        op.src[0] = constant(0, true);
    if (op.space == Space::Generic || op.space == Space::Shared || (op.space == Space::Global && !shared_only))
        return true;
    error(operand.where, fmt::format("'{}' needs an address in {}", text(),
                                     shared_only ? ".shared memory" : ".global or .shared memory"));
    return false;
}

// wmma.mma[.op.popc].sync.aligned.alayout.blayout.shape.dtype[.atype.btype].ctype[.satfinite] d, a, b, c;
// mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype[.satfinite][.op.popc] d, a, b, c;
// With types of f64 they may have a rounding.
void Selector::select_product(Opcode opcode, const MatrixWords& words) {
    const bool wmma = opcode == Opcode::Wmma;
    const bool short_types = wmma && words.type_count == 2; // a and b are f16
    const bool stray = (words.action != MatrixWords::Action::None) != wmma || words.matrix != 0 || words.transposed ||
                       words.count != 0 || words.b16 || words.space != Space::Generic;
    if (stray || words.layouts != 2 || (words.type_count != 4 && !short_types))
        return error(now_->where,
                     fmt::format("'{}' is no product of matrices: it has .sync.aligned, two layouts, a shape "
                                 "and the types of d, a, b and c",
                                 text()));
    Matrix x;
    x.saturate = words.saturate;
    x.rounding = words.rounding == Rounding::None ? Rounding::Rn : words.rounding;
    x.both = words.logic == "and";
    const auto fragment = [&](MatrixRole role, Element element, bool by_rows) {
        return Fragment{role, element, words.shape, by_rows, wmma};
    };
    x.a = fragment(MatrixRole::A, short_types ? Element::F16 : words.types[1], words.by_rows[0]);
    x.b = fragment(MatrixRole::B, short_types ? Element::F16 : words.types[2], words.by_rows[1]);
    x.c = fragment(MatrixRole::Accumulator, words.types[short_types ? 1 : 3], true);
    x.d = fragment(MatrixRole::Accumulator, words.types[0], true);
    const bool bits = x.a.element == Element::B1;
    const bool saturates_wrongly = words.saturate && (bits || x.d.element != Element::S32);
    const bool rounds_wrongly = words.rounding != Rounding::None && x.d.element != Element::F64;
    if (!exists(x) || saturates_wrongly || rounds_wrongly || bits != words.popc || bits == words.logic.empty())
        return error(now_->where, fmt::format("'{}': there is no product of such matrices", text()));
    if (!count(4, 4))
        return;
    const auto d = fragment_registers(now_->operands[0], x.d, true);
    const auto a = fragment_registers(now_->operands[1], x.a, false);
    const auto b = fragment_registers(now_->operands[2], x.b, false);
    const auto c = fragment_registers(now_->operands[3], x.c, false);
    if (d && a && b && c)
        multiply_in_parts(opcode, x, *d, {*a, *b, *c});
}

void Selector::multiply_in_parts(Opcode opcode, Matrix x, const std::vector<Place>& d,
                                 const std::array<std::vector<Place>, 3>& sources) {
    const auto& [a, b, c] = sources;
    const bool alike = c.size() == d.size(); // then a part of d needs that part of c alone
    std::vector<std::pair<Place, Place>> moves;
    for (std::size_t first = 0; first < d.size(); first += kPart) {
        const std::size_t n = std::min(kPart, d.size() - first);
        const std::span<const Place> part = std::span(c).subspan(alike ? first : 0, alike ? n : c.size());
        x.first = static_cast<std::uint8_t>(first);
        x.first_c = static_cast<std::uint8_t>(alike ? first : 0);
        x.c_registers = static_cast<std::uint8_t>(part.size());
        auto* next = std::copy(a.begin(), a.end(), x.source.begin());
        next = std::copy(b.begin(), b.end(), next);
        std::copy(part.begin(), part.end(), next);
        const std::span<const Place> own = std::span(d).subspan(first, n);
        std::vector<Place> results(own.begin(), own.end());
        // What a later part reads is written behind it.
        const std::span<const Place> later =
            first + n == d.size() ? std::span<const Place>{} : std::span(c).subspan(alike ? first + n : 0);
        for (Place& result : results) {
            const auto is_read = [&](std::span<const Place> by) {
                return std::find(by.begin(), by.end(), result) != by.end();
            };
            if (first + n == d.size() || !(is_read(a) || is_read(b) || is_read(later)))
                continue;
            moves.emplace_back(result, temporary(type_of_registers(x.d)));
            result = moves.back().second;
        }
        emit_product(opcode, x, results);
    }
    for (const auto& [to, from] : moves)
        copy_register(to, from);
}

void Selector::copy_register(Place to, Place from) {
    MicroOp op;
    op.work = info(Opcode::Mov).work;
    op.type = Type::B32;
    op.dst[0] = to;
    op.src[0] = from;
    emit(op);
}

void Selector::emit_product(Opcode opcode, const Matrix& matrix, std::span<const Place> results) {
    MicroOp op;
    op.opcode = opcode;
    op.kind = Kind::WarpSync;
    op.work = info(opcode).work;
    op.domain = matrix.d.element == Element::F64   ? Domain::F64
                : matrix.d.element == Element::S32 ? Domain::Int
                                                   : Domain::F32;
    op.flags = kHasMask;
    op.src[3] = constant(~0U);
    std::copy(results.begin(), results.end(), op.dst.begin());
    op.imm = static_cast<std::int64_t>(draft_.matrices.size());
    draft_.matrices.push_back(matrix);
    emit(op);
}

// ldmatrix.sync.aligned.m8n8.number[.trans][.shared].b16 r, [p];
// Thread t of matrix m has the address of row t of it when t is one of threads 8 m to 8 m + 7. Each gets one, loads the
// row's four words, and hands them to those who are to have them.
void Selector::select_ldmatrix(const MatrixWords& words) {
    if (words.shape != MatrixShape{8, 8, 0} || words.count == 0 || !words.b16 || words.layouts != 0 ||
        words.type_count != 0)
        return error(
            now_->where,
            fmt::format("'{}' is no load of matrices: there is ldmatrix.sync.aligned.m8n8 with .x1, .x2 or .x4, "
                        ".trans or not, .shared.b16",
                        text()));
    if (!count(2, 2))
        return;
    MicroOp load;
    load.opcode = Opcode::Ld;
    load.kind = Kind::Load;
    load.space = words.space;
    const bool based = matrix_base(now_->operands[1], true, load);
    const std::vector<Operand> list = elements(now_->operands[0], words.count);
    MicroOp op;
    op.opcode = Opcode::Ldmatrix;
    op.kind = Kind::WarpSync;
    op.work = info(Opcode::Ldmatrix).work;
    op.flags = kHasMask;
    op.vector = words.count;
    op.src[3] = constant(~0U);
    MicroOp hand_out = op;
    bool good = based && !list.empty();
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::optional<Place> d = destination(list[i], Type::B32);
        good = good && d.has_value();
        hand_out.dst.at(i) = d.value_or(kNowhere);
    }
    if (!good)
        return;
    op.sub = Sub::MatrixRows;
    op.src[0] = load.src[0];
    op.src_bytes = op.dst_bytes = load.src_bytes;
    op.dst[0] = temporary(op.src_bytes == 8 ? Type::U64 : Type::U32);
    emit(op);
    load.type = Type::B32;
    load.vector = 4;
    load.src[0] = op.dst[0];
    for (Place& word : load.dst)
        word = temporary(Type::B32);
    emit(load);
    hand_out.sub = words.transposed ? Sub::MatrixTransposed : Sub::None;
    hand_out.src = {load.dst[0], load.dst[1], load.dst[2], op.src[3], load.dst[3]};
    emit(hand_out);
}

// movmatrix.sync.aligned.m8n8.trans.b16 d, a;
void Selector::select_movmatrix(const MatrixWords& words) {
    if (words.shape != MatrixShape{8, 8, 0} || !words.transposed || !words.b16)
        return error(now_->where, fmt::format("'{}': there is movmatrix.sync.aligned.m8n8.trans.b16", text()));
    if (!count(2, 2))
        return;
    const std::optional<Place> d = destination(now_->operands[0], Type::B32);
    const std::optional<Place> a = source(now_->operands[1], Type::B32);
    if (!d || !a)
        return;
    MicroOp op;
    op.opcode = Opcode::Movmatrix;
    op.kind = Kind::WarpSync;
    op.work = info(Opcode::Movmatrix).work;
    op.flags = kHasMask;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.src[3] = constant(~0U);
    emit(op);
}

} // namespace heddle::ir
