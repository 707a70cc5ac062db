#include "core_checks.h"

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/parameter.h"
#include "formation/formation.h"
#include "runtime/device.h"

namespace heddle::cli {

namespace {

// Thread t of a block of 96 loads x = in[t], makes x = 3 x + 1 of it t mod 5 times, and stores the x of thread 95 - t
// of its block: threads diverge, wait for memory and for each other.
constexpr std::string_view kKernel = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry steps(.param .u64 in, .param .u64 out)
{
  .reg .b64 %d<6>; .reg .b32 %r<9>; .reg .pred %p;
  .shared .align 4 .b8 tile[384];
  ld.param.u64 %d1, [in];
  ld.param.u64 %d2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 96, %r1;
  mul.wide.u32 %d3, %r3, 4;
  add.u64 %d1, %d1, %d3;
  add.u64 %d2, %d2, %d3;
  ld.global.u32 %r4, [%d1];
  rem.u32 %r5, %r1, 5;
again:
  setp.eq.u32 %p, %r5, 0;
  @%p bra done;
  mad.lo.u32 %r4, %r4, 3, 1;
  sub.u32 %r5, %r5, 1;
  bra again;
done:
  mov.u32 %r6, tile;
  shl.b32 %r7, %r1, 2;
  add.u32 %r8, %r6, %r7;
  st.shared.u32 [%r8], %r4;
  bar.sync 0;
  sub.u32 %r8, %r6, %r7;
  ld.shared.u32 %r4, [%r8+380];
  st.global.u32 [%d2], %r4;
  ret;
}
)";
constexpr unsigned kThreads = 96, kBlocks = 12, kAll = kThreads * kBlocks;

// lwm11 with the first formation that the model runs.
config::Machine machine_of(const std::string& model) {
    std::string why;
    for (const std::string& formation : formation::formations().names()) {
        try {
            const std::vector<std::string> settings{"core.model=" + model, "core.formation=" + formation};
            return config::Machine::load("lwm11", settings);
        } catch (const UserError& e) {
            why = e.what();
        }
    }
    throw contract::Broken("it runs no formation: " + why);
}

struct Launched {
    std::vector<std::uint32_t> out;
    nlohmann::json result;
};

Launched launch(const std::string& model) {
    runtime::Device device(machine_of(model));
    const runtime::KernelId kernel = device.kernel(device.load_module("steps.ptx", std::string(kKernel)), "steps");
    std::vector<std::uint32_t> in(kAll);
    std::iota(in.begin(), in.end(), 0U);
    std::array<Address, 2> buffers{device.allocate(4 * kAll, "in"), device.allocate(4 * kAll, "out")};
    device.write(buffers[0], in.data(), 4 * kAll);
    std::array<std::byte, sizeof buffers> parameters;
    std::memcpy(parameters.data(), buffers.data(), sizeof buffers);
    device.launch(kernel, {{kBlocks, 1, 1}, {kThreads, 1, 1}}, parameters);
    Launched out{std::vector<std::uint32_t>(kAll), nlohmann::json::parse(device.result_json())};
    device.read(out.out.data(), buffers[1], 4 * kAll);
    return out;
}

std::uint32_t expected(std::uint32_t thread) {
    const std::uint32_t from = kThreads - 1 - thread % kThreads;
    std::uint32_t x = thread - thread % kThreads + from;
    for (std::uint32_t n = 0; n < from % 5; ++n)
        x = 3 * x + 1;
    return x;
}

void computes_right_results(const std::string& model) {
    const Launched run = launch(model);
    for (std::uint32_t t = 0; t < kAll; ++t)
        if (run.out[t] != expected(t))
            throw contract::Broken(
                fmt::format("thread {} of a kernel stores {}, but should store {}", t, run.out[t], expected(t)));
}

void gives_each_slot_a_cause(const std::string& model) {
    const nlohmann::json result = launch(model).result;
    const auto cycles = result.at("totals").at("cycles").get<std::uint64_t>();
    std::uint64_t slots = 0;
    for (const auto& [cause, count] : result.at("stalls").items())
        slots += count.get<std::uint64_t>();
    if (cycles == 0 || slots == 0 || slots % cycles != 0)
        throw contract::Broken(
            fmt::format("{} causes of issue slots in {} cycles: each slot of a cycle has one cause", slots, cycles));
}

void repeats_its_cycles(const std::string& model) {
    contract::expect(launch(model).result.at("totals") == launch(model).result.at("totals"),
                     "the same launch has other totals the second time");
}

} // namespace

std::span<const contract::Check> core_checks() {
    static const contract::Check checks[] = {{"a kernel has right results", computes_right_results},
                                             {"each issue slot has a cause", gives_each_slot_a_cause},
                                             {"the same launch takes the same cycles", repeats_its_cycles}};
    return checks;
}

} // namespace heddle::cli
