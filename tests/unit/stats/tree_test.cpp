#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "stats/json.h"
#include "stats/tree.h"

namespace heddle::stats::test {

struct CacheStats {
    std::uint64_t hits = 0, misses = 0;
    Histogram ways;
    static std::span<const Statistic<CacheStats>> statistics() {
        static const Statistic<CacheStats> table[] = {
            {"hits", &CacheStats::hits, "accesses", "found"},
            {"misses", &CacheStats::misses, "accesses", "not found"},
            {"ways", &CacheStats::ways, "accesses", "hits by way"},
        };
        return table;
    }
    static std::span<const Formula> formulas() {
        static const Formula table[] = {{"hit_rate", "hits", "hits + misses", "share of hits"}};
        return table;
    }
};

struct CoreStats {
    std::uint64_t cycles = 0;
    static std::span<const Statistic<CoreStats>> statistics() {
        static const Statistic<CoreStats> table[] = {{"cycles", &CoreStats::cycles, "cycles", "time"}};
        return table;
    }
};

} // namespace heddle::stats::test

HEDDLE_STATISTICS(heddle::stats::test::CacheStats, "dcache", "data cache")
HEDDLE_STATISTICS(heddle::stats::test::CacheStats, "icache", "instruction cache")

namespace heddle::stats::test {
namespace {

TEST(Tree, SnapshotsSubtract) {
    CacheStats cache;
    CoreStats core;
    Tree tree;
    tree.add("core", core);
    tree.add("dcache", cache);
    cache = {10, 5, {7, 3}};
    core.cycles = 100;
    const Snapshot before = tree.snapshot();
    cache = {16, 7, {9, 7}};
    core.cycles = 150;
    const Snapshot between = tree.snapshot() - before;
    EXPECT_EQ(between.counter("core.cycles"), 50U);
    EXPECT_EQ(between.counter("dcache.hits"), 6U);
    EXPECT_EQ(between.counter("dcache.misses"), 2U);
    EXPECT_EQ(between.histogram("dcache.ways"), (Histogram{2, 4}));
    EXPECT_EQ(between.ratio("dcache.hit_rate"), 0.75);
    EXPECT_EQ(before.counter("dcache.hits"), 10U) << "a snapshot is a value";
}

TEST(Tree, SumsBeginEmpty) {
    CacheStats cache{3, 1, {3}};
    Tree tree;
    tree.add("dcache", cache);
    Snapshot sum;
    sum += tree.snapshot();
    sum += tree.snapshot();
    EXPECT_EQ(sum.counter("dcache.hits"), 6U);
    EXPECT_EQ(sum.histogram("dcache.ways"), (Histogram{6}));
    EXPECT_EQ(sum.ratio("dcache.hit_rate"), 0.75);
}

TEST(Tree, SumAndDifferenceOfTreesThatGrew) {
    CacheStats cache{3, 1, {3}};
    CoreStats core{9};
    Tree tree;
    tree.add("dcache", cache);
    const Snapshot small = tree.snapshot();
    tree.add("core", core);
    const Snapshot large = tree.snapshot();
    EXPECT_EQ((large - small).counter("core.cycles"), 9U);
    EXPECT_EQ((large - small).counter("dcache.hits"), 0U);
    Snapshot sum = large;
    sum += small;
    EXPECT_EQ(sum.counter("dcache.hits"), 6U);
    EXPECT_EQ(sum.counter("core.cycles"), 9U);
    Tree other;
    other.add("icache", cache);
    sum += other.snapshot();
    EXPECT_EQ(sum.counter("icache.hits"), 3U);
    EXPECT_EQ(sum.counter("core.cycles"), 9U);
}

TEST(Tree, AHistogramThatGrewSubtractsAndSums) {
    CacheStats cache{3, 1, {3}};
    Tree tree;
    tree.add("dcache", cache);
    const Snapshot before = tree.snapshot();
    cache = {9, 1, {4, 0, 5}};
    const Snapshot after = tree.snapshot();
    EXPECT_EQ((after - before).histogram("dcache.ways"), (Histogram{1, 0, 5}));
    EXPECT_EQ((after - before).counter("dcache.hits"), 6U);
    Snapshot sum = before;
    sum += after;
    EXPECT_EQ(sum.histogram("dcache.ways"), (Histogram{7, 0, 5}));
    EXPECT_EQ(sum.counter("dcache.misses"), 2U);
}

TEST(Tree, SectionsOfSeveralComponentsAreSums) {
    CacheStats one{3, 1, {2, 1}};
    CacheStats two{1, 3, {0, 0, 5}};
    Tree tree;
    tree.add("dcache", one);
    tree.add_also("dcache", two);
    const Snapshot both = tree.snapshot();
    EXPECT_EQ(both.counter("dcache.hits"), 4U);
    EXPECT_EQ(both.histogram("dcache.ways"), (Histogram{2, 1, 5}));
    EXPECT_EQ(both.ratio("dcache.hit_rate"), 0.5);
    EXPECT_THROW(tree.add_also("icache", two), std::logic_error);
}

TEST(Tree, OneOfSeveralMakesItsSectionOrJoinsIt) {
    const CacheStats one{3, 1, {2, 1}};
    const CacheStats two{1, 3, {0, 0, 5}};
    Tree tree;
    tree.add_one_of("dcache", one);
    EXPECT_EQ(tree.snapshot().counter("dcache.hits"), 3U);
    tree.add_one_of("dcache", two);
    EXPECT_EQ(tree.snapshot().counter("dcache.hits"), 4U);
}

TEST(Tree, NothingCountedHasNoRatio) {
    const CacheStats cache;
    Tree tree;
    tree.add("dcache", cache);
    EXPECT_EQ(tree.snapshot().ratio("dcache.hit_rate"), std::nullopt);
    EXPECT_TRUE(to_json(tree.snapshot()).at("dcache").at("hit_rate").is_null());
    EXPECT_EQ(tree.snapshot().counter("no.such"), 0U);
    EXPECT_EQ(tree.snapshot().ratio("no.such"), std::nullopt);
}

TEST(Tree, MistakesOfTheProgram) {
    const CacheStats cache;
    Tree tree;
    tree.add("dcache", cache);
    EXPECT_THROW(tree.add("dcache", cache), std::logic_error);
    EXPECT_THROW(register_section({"dcache", "", {}}), std::logic_error);
    EXPECT_THROW(register_section({"new", "", {{"a", "", "", ""}, {"a", "", "", ""}}}), std::logic_error);
}

TEST(Output, Json) {
    CacheStats cache{3, 1, {2, 1}};
    Tree tree;
    tree.add("sm0.dcache", cache);
    EXPECT_EQ(to_json(tree.snapshot()).dump(),
              R"({"sm0":{"dcache":{"hits":3,"misses":1,"ways":[2,1],"hit_rate":0.75}}})");
}

TEST(Output, TheTextOfJson) {
    CacheStats cache{3, 1, {2, 1}};
    const CacheStats none;
    CoreStats core{7};
    Tree tree;
    tree.add("sm0.dcache", cache);
    tree.add("sm0.icache", none);
    tree.add("core", core);
    JsonText text;
    std::string out = "two: ";
    text.append(out, tree.snapshot());
    cache = {1, 2, {0, 0, 1}};
    text.append(out, tree.snapshot());
    EXPECT_EQ(out, R"(two: {"sm0":{"dcache":{"hits":3,"misses":1,"ways":[2,1],"hit_rate":0.75},)"
                   R"("icache":{"hits":0,"misses":0,"ways":[],"hit_rate":null}},"core":{"cycles":7}})"
                   R"({"sm0":{"dcache":{"hits":1,"misses":2,"ways":[0,0,1],"hit_rate":0.3333333333333333},)"
                   R"("icache":{"hits":0,"misses":0,"ways":[],"hit_rate":null}},"core":{"cycles":7}})");
}

TEST(Output, Csv) {
    CacheStats cache{3, 1, {2, 1}};
    Tree tree;
    tree.add("dcache", cache);
    EXPECT_EQ(tree.snapshot().to_csv(), "name,unit,value\n"
                                        "dcache.hits,accesses,3\n"
                                        "dcache.misses,accesses,1\n"
                                        "dcache.ways[0],accesses,2\n"
                                        "dcache.ways[1],accesses,1\n"
                                        "dcache.hit_rate,,0.75\n");
}

TEST(Sections, ARatioOfOtherThingsIsNoShare) {
    EXPECT_EQ(kind_of({"mean", "latency", "reads", ""}), "ratio");
    EXPECT_EQ(kind_of({"rate", "a+b", "c + b+ a", ""}), "share");
    EXPECT_EQ(formula_text({"rate", "a+b", "c", ""}), "(a + b) / c");
}

TEST(Sections, AreDescribed) {
    const SectionInfo& section = sections().at("icache");
    EXPECT_EQ(section.meaning, "instruction cache");
    ASSERT_EQ(section.statistics.size(), 4U);
    EXPECT_EQ(section.statistics[2].kind, "histogram");
    EXPECT_EQ(section.statistics[3].kind, "share");
    EXPECT_EQ(section.statistics[3].unit, "hits / (hits + misses)");
}

} // namespace
} // namespace heddle::stats::test
