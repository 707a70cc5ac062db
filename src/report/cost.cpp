#include "report/cost.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/json_parts.h"
#include "report/table.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kBitsOfAByte = 8;

struct Total {
    std::uint64_t bits = 0, assumed_bits = 0;
    double mm2 = 0;
    bool any_scaled = false, any_compared = false;

    void add(const cost::HardwareCost& cost) {
        any_compared = any_compared || cost.compared;
        if (cost.compared)
            return;
        bits += cost.total_bits();
        assumed_bits += cost.is_assumed() ? cost.total_bits() : 0;
        mm2 += cost.area();
        any_scaled = any_scaled || cost.is_scaled();
    }
};

Total total_of(const CostResult& result) {
    Total out;
    for (const CostPart& part : result.parts)
        for (const cost::HardwareCost& cost : part.structures)
            out.add(cost);
    return out;
}

// Whole bytes, except for structures of a few bits.
std::string bytes_text(std::uint64_t bits) {
    return bits % 8 == 0 ? grouped(bits / 8) : fmt::format("{}.{:03}", grouped(bits / 8), bits % 8 * 125);
}

std::string area_text(double mm2, bool scaled) {
    return mm2 == 0 ? "-" : fmt::format("{}{:.3f}", scaled ? "~" : "", mm2);
}

// For parts that no total includes.
std::string in_brackets(const std::string& text, bool yes) {
    return yes ? fmt::format("({})", text) : text;
}

void add_rows(Table& table, const CostPart& part) {
    const std::string heading = part.role + " " + part.name;
    if (part.structures.empty())
        table.row({heading, "none counted"});
    bool first = true;
    for (const cost::HardwareCost& cost : part.structures) {
        const bool stored = cost.total_bits() != 0;
        table.row({first ? heading : "", cost.structure, stored ? grouped(cost.entries) : "-",
                   stored ? grouped(cost.bits) : "-", in_brackets(grouped(cost.total_bits()), cost.compared),
                   in_brackets(bytes_text(cost.total_bits()), cost.compared),
                   in_brackets(area_text(cost.area(), cost.is_scaled()), cost.compared), cost.source, cost.note});
        first = false;
    }
}

void add_total(Table& table, const std::string& heading, const Total& total, std::uint64_t sms) {
    table.row({heading, "", "", "", grouped(total.bits * sms), bytes_text(total.bits * sms),
               area_text(total.mm2 * static_cast<double>(sms), total.any_scaled)});
}

Json structure_json(const cost::HardwareCost& cost) {
    const double bits = static_cast<double>(cost.total_bits());
    Json out{{"structure", cost.structure},
             {"entries", cost.entries},
             {"bits_per_entry", cost.bits},
             {"bits", cost.total_bits()},
             {"bytes", bits / kBitsOfAByte},
             {"mm2", nullptr},
             {"mm2_scaled", cost.is_scaled()},
             {"compared", cost.compared},
             {"assumed", cost.is_assumed()},
             {"source", cost.source},
             {"note", cost.note}};
    if (cost.area() != 0)
        out["mm2"] = cost.area();
    return out;
}

std::string part_lines(const CostPart& part) {
    std::string structures;
    for (const cost::HardwareCost& cost : part.structures)
        structures += (structures.empty() ? "\n      " : ",\n      ") + structure_json(cost).dump();
    return fmt::format("    {{\"role\": {}, \"name\": {}, \"structures\": [{}]}}", Json(part.role).dump(),
                       Json(part.name).dump(), structures);
}

std::string parts_lines(const CostResult& result) {
    std::string out;
    for (const CostPart& part : result.parts)
        out += (out.empty() ? "" : ",\n") + part_lines(part);
    return "[\n" + out + "\n  ]";
}

Json total_json(const Total& total, std::uint64_t sms) {
    Json out{{"bits", total.bits * sms},
             {"bytes", static_cast<double>(total.bits * sms) / kBitsOfAByte},
             {"assumed_bits", total.assumed_bits * sms},
             {"mm2", nullptr},
             {"mm2_scaled", total.any_scaled}};
    if (total.mm2 != 0)
        out["mm2"] = total.mm2 * static_cast<double>(sms);
    return out;
}

} // namespace

std::string cost_table(const CostResult& result) {
    Table table;
    table.column("part", Table::Align::Left);
    table.column("structure", Table::Align::Left);
    for (const char* heading : {"entries", "bits an entry", "bits", "bytes", "mm2"})
        table.column(heading);
    table.column("source", Table::Align::Left);
    table.column("note", Table::Align::Left);
    for (const CostPart& part : result.parts)
        add_rows(table, part);
    const Total total = total_of(result);
    add_total(table, "an SM", total, 1);
    if (result.sms != 1)
        add_total(table, fmt::format("{} SMs", result.sms), total, result.sms);
    std::string out =
        fmt::format("machine {}: structures beside a core without divergence\n{}", result.machine, table.render());
    if (total.any_scaled)
        out += "~: the paper's area in proportion to the bits\n";
    if (total.any_compared)
        out += "(): the core has it anyhow; no total counts it\n";
    if (total.assumed_bits != 0)
        out += fmt::format("assumed: {} of the {} bits an SM are in no paper\n", grouped(total.assumed_bits),
                           grouped(total.bits));
    return out;
}

std::string cost_json(const CostResult& result) {
    const Total total = total_of(result);
    return document({{"heddle", program_json().dump()},
                     {"machine", Json(result.machine).dump()},
                     {"config", object_lines(config_json(result.config))},
                     {"sms", Json(result.sms).dump()},
                     {"parts", parts_lines(result)},
                     {"sm_total", total_json(total, 1).dump()},
                     {"machine_total", total_json(total, result.sms).dump()}});
}

} // namespace heddle::report
