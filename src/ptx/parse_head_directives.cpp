#include "ptx/parse_head_directives.h"

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace heddle::ptx {

void HeadDirectiveParser::function_directives(Function& function) {
    while (tokens_.at(Kind::Suffix))
        if (!function_directive(function))
            tokens_.fail(fmt::format("unknown directive {} in a function's head", describe(tokens_.current())));
}

// Bounds for a compiler's register allocation have no effect and are only read.
bool HeadDirectiveParser::function_directive(Function& function) {
    const Token directive = tokens_.current();
    const std::string_view word = directive.word();
    if (word == "pragma") {
        directives_.pragma();
    } else if (word == "attribute") {
        directives_.attribute();
    } else if (word == "noreturn") {
        tokens_.advance();
        function.is_noreturn = true;
    } else if (word == "explicitcluster" || word == "blocksareclusters") {
        tokens_.advance();
        (word == "explicitcluster" ? function.explicit_cluster : function.blocks_are_clusters) = true;
    } else if (word == "maxntid" || word == "reqntid" || word == "reqnctapercluster") {
        tokens_.advance();
        const Dim3 size = dimensions(directive.text);
        const std::uint32_t threads = static_cast<std::uint32_t>(size.count());
        if (word == "maxntid")
            function.max_threads = threads;
        if (word == "reqntid") {
            function.required_threads = threads;
            function.required_block = size;
        }
        if (word == "reqnctapercluster")
            function.required_cluster = size;
    } else if (word == "maxclusterrank") {
        tokens_.advance();
        function.largest_cluster = tokens_.small_number("a number after .maxclusterrank");
    } else if (word == "minnctapersm") {
        tokens_.advance();
        function.least_blocks = tokens_.small_number("a number after .minnctapersm");
    } else if (word == "maxnreg") {
        tokens_.advance();
        function.most_registers = tokens_.small_number("a number after .maxnreg");
    } else if (word == "maxnctapersm" || word == "abi_preserve" || word == "abi_preserve_control") {
        tokens_.advance();
        tokens_.small_number(fmt::format("a number after {}", directive.text));
    } else {
        return false;
    }
    return true;
}

// x [, y [, z]], all above 0, of at most 2^32-1 together.
Dim3 HeadDirectiveParser::dimensions(std::string_view directive) {
    const Position where = tokens_.current().where;
    Dim3 size;
    const std::string what = fmt::format("a size after {}", directive);
    size.x = tokens_.small_number(what);
    if (tokens_.accept(Kind::Comma))
        size.y = tokens_.small_number(what);
    if (tokens_.at(Kind::Comma)) {
        tokens_.advance();
        size.z = tokens_.small_number(what);
    }
    const std::uint64_t plane = std::uint64_t{size.x} * size.y; // below 2^64
    if (plane == 0 || size.z == 0 || plane > 0xffffffffU || plane * size.z > 0xffffffffU)
        throw ParseFailure{where, fmt::format("the sizes after {} are 1 to 4294967295 together", directive)};
    return size;
}

} // namespace heddle::ptx
