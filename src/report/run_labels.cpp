#include "report/run_labels.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace heddle::report {

namespace {

constexpr std::size_t kSettingsShown = 3;
constexpr const char* kPolicies[] = {"core.formation", "core.scheduler"};

bool is_policy(const std::string& key) {
    return std::find(std::begin(kPolicies), std::end(kPolicies), key) != std::end(kPolicies);
}

void append(std::string& label, const std::string& part) {
    if (!part.empty())
        label += (label.empty() ? "" : ", ") + part;
}

// "two-level.group=1, two-level.timeout=32768": settings that differ from `first`; with `all`, settings that differ in
// any run.
std::string others(const StoredRun& run, const StoredRun& first, const std::vector<std::string>& keys, bool all) {
    std::string out;
    std::size_t shown = 0, left_out = 0;
    for (const std::string& key : keys) {
        if (is_policy(key) || (!all && run.setting(key) == first.setting(key)))
            continue;
        if (shown++ < kSettingsShown)
            append(out, fmt::format("{}={}", key, run.setting(key)));
        else
            ++left_out;
    }
    return left_out == 0 ? out : fmt::format("{} and {} more", out, left_out);
}

void make_distinct(std::vector<std::string>& labels, std::span<const StoredRun> runs) {
    std::map<std::string, int> uses;
    for (const std::string& label : labels)
        ++uses[label];
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i].empty())
            labels[i] = runs[i].stem();
        else if (uses[labels[i]] > 1)
            labels[i] += fmt::format(" ({})", runs[i].stem());
    std::set<std::string> taken;
    for (std::string& label : labels) {
        const std::string wanted = label;
        for (int n = 2; !taken.insert(label).second; ++n)
            label = fmt::format("{} #{}", wanted, n);
    }
}

} // namespace

std::vector<std::string> differing_settings(std::span<const StoredRun> runs) {
    std::set<std::string> keys;
    for (const StoredRun& run : runs)
        for (const StoredSetting& setting : run.settings)
            keys.insert(setting.key);
    std::vector<std::string> out;
    for (const std::string& key : keys)
        if (std::any_of(runs.begin(), runs.end(),
                        [&](const StoredRun& run) { return run.setting(key) != runs.front().setting(key); }))
            out.push_back(key);
    return out;
}

std::vector<std::string> run_labels(std::span<const StoredRun> runs) {
    const std::vector<std::string> keys = differing_settings(runs);
    const bool machines = std::any_of(runs.begin(), runs.end(), [&](const StoredRun& run) {
        return run.summary.machine != runs.front().summary.machine;
    });
    const bool policies = std::any_of(keys.begin(), keys.end(), is_policy);
    std::vector<std::string> labels;
    for (const StoredRun& run : runs) {
        const auto first = std::find_if(runs.begin(), runs.end(), [&](const StoredRun& other) {
            return other.summary.machine == run.summary.machine;
        });
        std::string label;
        if (machines)
            append(label, run.summary.machine);
        for (const char* policy : kPolicies)
            if (std::find(keys.begin(), keys.end(), policy) != keys.end())
                append(label, run.setting(policy));
        append(label, others(run, *first, keys, !machines && !policies));
        labels.push_back(std::move(label));
    }
    make_distinct(labels, runs);
    return labels;
}

} // namespace heddle::report
