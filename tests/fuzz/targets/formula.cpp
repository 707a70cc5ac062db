// The first line is a formula and a condition, the others are the document that the formula is evaluated over.
#include "experiment/formula.h"

#include <nlohmann/json.hpp>

#include "experiment/condition.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input = fuzz::text_of(data, size);
    const std::size_t end = std::min(input.find('\n'), input.size());
    const std::string line = input.substr(0, end);
    fuzz::read_or_refuse([&] {
        const experiment::Formula formula(line, "input", {1, 1});
        const auto document = nlohmann::json::parse(input.substr(end), nullptr, false);
        (void)formula.evaluate(document);
    });
    fuzz::read_or_refuse([&] {
        const experiment::Condition condition(line, "input", {1, 1});
        condition.check({{"bfs"}, {"pdom"}, {"64"}, {"lwm11"}});
        (void)condition.holds([](const std::string& name) -> std::optional<std::string> {
            return name.ends_with("width") ? "32" : name == "program" ? "bfs" : "12KiB";
        });
    });
    return 0;
}
