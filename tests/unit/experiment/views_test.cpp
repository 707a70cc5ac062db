#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "experiment/views.h"

namespace heddle::experiment {
namespace {

using testing::ElementsAre;
using testing::Optional;

// SM 1 has blocks 3 and 5 from the start, and 9 when 3 has ended; SM 0 has others.
const nlohmann::json kResult = nlohmann::json::parse(R"({
  "views": {"divergence": {"rows": [{"cycle": 0, "degree": [0, 5, 6]}, {"cycle": 1000, "degree": [0, 7, 8]}]}},
  "timeline": {
    "blocks": [{"sm": 0, "slot": 0, "block": 4, "start": 0, "end": 50},
               {"sm": 1, "slot": 1, "block": 9, "start": 45, "end": 90},
               {"sm": 1, "slot": 0, "block": 5, "start": 0, "end": 80},
               {"sm": 1, "slot": 1, "block": 3, "start": 0, "end": 40}],
    "samples": [{"sm": 0, "cycle": 20, "block_order": [4]},
                {"sm": 1, "cycle": 20, "block_order": [5, 3]},
                {"sm": 1, "cycle": 60, "block_order": [9, 5]},
                {"sm": 1, "cycle": 85, "block_order": [9]}]}})");

report::Figure shown(View view, const nlohmann::json& result = kResult) {
    Experiment experiment;
    experiment.view = view;
    experiment.sm = 1;
    report::Figure figure;
    add_view(experiment, result, "p", figure);
    return figure;
}

TEST(Views, BlocksAreNumberedInTheOrderOfTheSm) {
    const report::Figure figure = shown(View::blocks);
    ASSERT_EQ(figure.series.size(), 2U);
    EXPECT_EQ(figure.series[0].name, "p: slot 0");
    ASSERT_EQ(figure.series[1].spans.size(), 2U);
    EXPECT_EQ(figure.series[0].spans[0].label, "block 1");
    EXPECT_EQ(figure.series[1].spans[0].label, "block 0");
    EXPECT_EQ(figure.series[1].spans[1].label, "block 2");
    EXPECT_EQ(figure.series[1].spans[1].begin, 45);
    EXPECT_EQ(figure.series[1].spans[1].end, 90);
}

TEST(Views, BlockOrder) {
    const report::Figure figure = shown(View::block_order);
    EXPECT_THAT(figure.categories, ElementsAre("20", "60", "85"));
    ASSERT_EQ(figure.series.size(), 2U);
    EXPECT_THAT(figure.series[0].values, ElementsAre(Optional(1.0), Optional(2.0), Optional(2.0)));
    EXPECT_THAT(figure.series[1].values, ElementsAre(Optional(0.0), Optional(1.0), std::nullopt));
}

TEST(Views, DivergenceHasTheHighestDegreeFirst) {
    const report::Figure figure = shown(View::divergence);
    EXPECT_THAT(figure.categories, ElementsAre("0", "1000"));
    ASSERT_EQ(figure.series.size(), 2U);
    EXPECT_EQ(figure.series[0].name, "p: 2");
    EXPECT_THAT(figure.series[0].values, ElementsAre(Optional(6.0), Optional(8.0)));
    EXPECT_THAT(figure.series[1].values, ElementsAre(Optional(5.0), Optional(7.0)));
}

TEST(Views, WhatWasNotRecordedIsSaid) {
    const nlohmann::json bare = nlohmann::json::parse(R"({"views": {}})");
    for (const View view : {View::blocks, View::block_order, View::divergence})
        EXPECT_THROW((void)shown(view, bare), UserError);
}

} // namespace
} // namespace heddle::experiment
