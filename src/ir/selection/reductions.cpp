#include "ir/selection/reductions.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace heddle::ir {

namespace {

bool is_one_of(Type type, std::initializer_list<Type> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
}

} // namespace

Sub reduction_named(std::string_view word) {
    constexpr std::pair<std::string_view, Sub> kOperations[] = {
        {"add", Sub::AtomAdd}, {"min", Sub::AtomMin}, {"max", Sub::AtomMax}, {"inc", Sub::AtomInc},
        {"dec", Sub::AtomDec}, {"and", Sub::AtomAnd}, {"or", Sub::AtomOr},   {"xor", Sub::AtomXor},
    };
    for (const auto& [name, sub] : kOperations)
        if (name == word)
            return sub;
    return Sub::None;
}

bool shared_reduction_exists(Sub how, Type type) {
    switch (how) {
    case Sub::AtomAnd:
    case Sub::AtomOr:
    case Sub::AtomXor:
        return type == Type::B32;
    case Sub::AtomInc:
    case Sub::AtomDec:
        return type == Type::U32;
    case Sub::AtomMin:
    case Sub::AtomMax:
        return is_one_of(type, {Type::U32, Type::S32});
    case Sub::AtomAdd:
        return is_one_of(type, {Type::U32, Type::S32, Type::U64});
    default:
        return false;
    }
}

bool global_reduction_exists(Sub how, Type type) {
    if (shared_reduction_exists(how, type))
        return true;
    switch (how) {
    case Sub::AtomAnd:
    case Sub::AtomOr:
    case Sub::AtomXor:
        return type == Type::B64;
    case Sub::AtomMin:
    case Sub::AtomMax:
        return is_one_of(type, {Type::U64, Type::S64, Type::F16, Type::BF16});
    case Sub::AtomAdd:
        return is_one_of(type, {Type::F32, Type::F64, Type::F16, Type::BF16});
    default:
        return false;
    }
}

} // namespace heddle::ir
