#include "ptx/syntax.h"

#include <array>
#include <cstddef>

namespace heddle::ptx {

namespace {

struct TypeInfo {
    std::string_view name;
    unsigned size;
};

constexpr std::array<TypeInfo, 39> kTypes{{
    {"none", 0},   {"u8", 1},     {"u16", 2},        {"u32", 4},     {"u64", 8},    {"s8", 1},     {"s16", 2},
    {"s32", 4},    {"s64", 8},    {"b8", 1},         {"b16", 2},     {"b32", 4},    {"b64", 8},    {"b128", 16},
    {"f16", 2},    {"f16x2", 4},  {"bf16", 2},       {"bf16x2", 4},  {"tf32", 4},   {"e4m3x2", 2}, {"e5m2x2", 2},
    {"e2m3x2", 2}, {"e3m2x2", 2}, {"e2m1x2", 1},     {"ue8m0x2", 2}, {"e4m3x4", 4}, {"e5m2x4", 4}, {"e2m3x4", 4},
    {"e3m2x4", 4}, {"e2m1x4", 2}, {"u16x2", 4},      {"s16x2", 4},   {"f32x2", 8},  {"f32", 4},    {"f64", 8},
    {"pred", 1},   {"texref", 8}, {"samplerref", 8}, {"surfref", 8},
}};

const TypeInfo& info_of(Type type) {
    return kTypes.at(static_cast<std::size_t>(type));
}

} // namespace

unsigned size_of(Type type) {
    return info_of(type).size;
}

bool is_float(Type type) {
    return is_half(type) || type == Type::F32 || type == Type::F32x2 || type == Type::F64;
}

bool is_half(Type type) {
    return type == Type::F16 || type == Type::BF16 || is_packed(type);
}

bool is_packed(Type type) {
    return type == Type::F16x2 || type == Type::BF16x2;
}

bool is_opaque(Type type) {
    return type >= Type::Texref;
}

bool has_variables(Type type) {
    return type < Type::E4M3x2 || type > Type::F32x2;
}

bool is_small_float(Type type) {
    return type >= Type::E4M3x2 && type <= Type::E2M1x4;
}

bool is_signed(Type type) {
    return type == Type::S8 || type == Type::S16 || type == Type::S32 || type == Type::S64 || type == Type::S16x2;
}

std::string_view name_of(Type type) {
    return info_of(type).name;
}

Type type_named(std::string_view name) {
    for (std::size_t i = 1; i < kTypes.size(); ++i)
        if (kTypes[i].name == name)
            return static_cast<Type>(i);
    return Type::None;
}

std::string_view name_of(Space space) {
    switch (space) {
    case Space::Generic:
        return "generic";
    case Space::Reg:
        return "reg";
    case Space::Const:
        return "const";
    case Space::Global:
        return "global";
    case Space::Local:
        return "local";
    case Space::Param:
        return "param";
    case Space::Shared:
        return "shared";
    case Space::SharedCluster:
        return "shared::cluster";
    }
    return "";
}

std::uint64_t Variable::elements() const {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : extents)
        product *= extent;
    return product;
}

std::uint64_t Variable::bytes() const {
    return elements() * vector * size_of(type);
}

std::uint32_t Variable::alignment() const {
    return align != 0 ? align : size_of(type) * vector;
}

} // namespace heddle::ptx
