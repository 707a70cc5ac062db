// Helpers of the parser's tests.
#pragma once

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace heddle::ptx {

struct Parsed {
    Module module;
    Diagnostics diagnostics;
    // "12:3: message" of each error, a line each.
    [[nodiscard]] std::string errors() const {
        std::istringstream rendered(diagnostics.render());
        std::string out;
        for (std::string line; std::getline(rendered, line);) {
            const std::size_t mark = line.find(": error: ");
            if (line.starts_with("test.ptx:") && mark != std::string::npos)
                out += line.substr(9, mark - 9) + ": " + line.substr(mark + 9) + "\n";
        }
        return out;
    }
};

inline Parsed parse_text(std::string text) {
    auto source = std::make_shared<const SourceText>("test.ptx", std::move(text));
    Diagnostics diagnostics(source);
    Module module = parse(source, diagnostics);
    return {std::move(module), std::move(diagnostics)};
}

inline const std::string kHead = ".version 7.5\n.target sm_75\n.address_size 64\n"; // 3 lines

// `text` at module level, from line 4 on; it must be without an error.
inline Module module_of(const std::string& text) {
    Parsed parsed = parse_text(kHead + text);
    EXPECT_EQ(parsed.diagnostics.render(), "");
    return std::move(parsed.module);
}

inline std::string errors_of(const std::string& text) {
    return parse_text(kHead + text).errors();
}

// A kernel with `text` as its body, from line 6 on.
inline std::string kernel(const std::string& text) {
    return ".entry k()\n{\n" + text + "\n}\n";
}

inline Function body_of(const std::string& text) {
    Module module = module_of(kernel(text));
    EXPECT_EQ(module.functions.size(), 1U);
    // the views in it stay valid: the caller's text outlives them in `kept`
    static std::vector<std::shared_ptr<const SourceText>> kept;
    kept.push_back(module.source);
    return module.functions.empty() ? Function{} : module.functions.front();
}

inline Instruction instruction_of(const std::string& text) {
    const Function function = body_of(text);
    EXPECT_EQ(function.body.size(), 1U);
    return function.body.empty() ? Instruction{} : function.body.front();
}

inline Operand operand_of(const std::string& text) {
    const Instruction instruction = instruction_of("op " + text + ";");
    EXPECT_EQ(instruction.operands.size(), 1U);
    return instruction.operands.empty() ? Operand{} : instruction.operands.front();
}

inline std::string body_errors(const std::string& text) {
    return errors_of(kernel(text));
}

inline std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.is_open()) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::string sample_path(const std::string& name) {
    return std::string(HEDDLE_SOURCE_DIR) + "/tests/ptx/samples/" + name;
}

} // namespace heddle::ptx
