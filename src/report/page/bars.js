"use strict";
// Charts of bars: side by side, and on each other.
heddle.bars = (() => {
    const { kinds, distinct, axis, placed_axis, configuration, deviations, diamonds, value_range, with_unit, in_words } =
        heddle.charts;

    // Means stand apart: an empty place before them and a tint behind.
    function spread(figure) {
        const first = figure.categories.length - figure.means;
        const gap = figure.means && first > 0 ? 0.5 : 0;
        return {
            first: figure.means ? first : Infinity,
            place: (category) => category + (category >= first ? gap : 0),
            places: figure.categories.length + gap,
        };
    }
    const tint = (scale, begin, end) => ({
        id: "tint",
        beforeDatasetsDraw(chart) {
            const x = chart.scales[scale];
            const left = x.getPixelForValue(begin), right = x.getPixelForValue(end);
            chart.ctx.fillStyle = heddle.colours.variable("--tint");
            chart.ctx.fillRect(left, chart.chartArea.top, right - left, chart.chartArea.height);
        },
    });

    // A cross where a run has no value, which is not a bar of height 0. Of a stack: where no part has one.
    const crosses = (stacked) => ({
        id: "crosses",
        afterDatasetsDraw(chart) {
            const pen = chart.ctx;
            pen.fillStyle = heddle.colours.variable("--alert");
            pen.font = "12px sans-serif";
            pen.textAlign = "center";
            const sets = chart.data.datasets.map((set, at) => ({ set, bars: chart.getDatasetMeta(at).data, at }));
            for (const { set, bars, at } of stacked ? sets.slice(0, 1) : sets) {
                if (!stacked && !chart.isDatasetVisible(at)) continue;
                bars.forEach((bar, i) => {
                    const missing = stacked ? sets.every((other) => other.set.data[i].y === null) : set.data[i].y === null;
                    if (missing) pen.fillText("×", bar.x, chart.scales.y.getPixelForValue(0) - 3);
                });
            }
        },
    });

    function grouped_bars(figure) {
        const { first, place, places } = spread(figure);
        const looks = heddle.colours.of_series(figure.series.map((s) => s.name));
        const range = { min: -0.5, max: places - 0.5 };
        const at = figure.categories.map((_, c) => place(c));
        const datasets = figure.series.map((s, i) => ({
            label: s.name,
            data: figure.categories.map((_, c) => ({ x: place(c), y: s.values[c] ?? null })),
            backgroundColor: heddle.colours.fill(looks[i]),
            categoryPercentage: 0.82,
            maxBarThickness: 72,
            barPercentage: figure.series.length > 4 ? 1 : 0.92,
        }));
        return configuration("bar", figure, datasets, {
            x: placed_axis(figure.category, at, figure.categories, range),
            y: axis(figure.unit, { beginAtZero: true, ...value_range(figure) }),
        }, {
            plugins: [...(first === Infinity ? [] : [tint("x", place(first) - 0.6, places - 0.5)]), crosses(false),
                deviations(figure), diamonds(figure)],
            tooltip: {
                callbacks: {
                    title: (items) => items.length ? figure.categories[items[0].dataIndex] : "",
                    label: (item) => ` ${item.dataset.label}: ${in_words(figure, item)}`,
                },
            },
        });
    }

    // A bar alone is drawn as its parts below each other, each with its name and its value: the largest first, ranges of
    // lanes in their order.
    const is_ranked = (figure) => figure.kind === "stacked_bars" && figure.categories.length === 1 &&
        distinct(figure.series.map((s) => s.stack)).length === 1;
    function ranks(figure) {
        const names = figure.series.map((s) => s.name);
        const looks = heddle.colours.of_series(names);
        const parts = figure.series.map((s, at) => ({ name: s.name, value: s.values[0] ?? null, look: looks[at] }));
        return names.some(heddle.colours.is_range) ? parts : parts.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    }
    // With one decimal where the values are shares: small parts need no digits of their own.
    function short_value(value, unit) {
        if (!unit.startsWith("%") || value === null) return with_unit(value, unit);
        return value > 0 && value < 0.05 ? "< 0.1 %" : `${value.toFixed(1)} %`;
    }
    // The value of each bar, behind its end.
    const values_behind = (figure, parts) => ({
        id: "values",
        afterDatasetsDraw(chart) {
            const pen = chart.ctx;
            pen.font = "12px sans-serif";
            pen.textBaseline = "middle";
            pen.textAlign = "left";
            pen.fillStyle = heddle.colours.variable("--ink");
            chart.getDatasetMeta(0).data.forEach((bar, at) => {
                pen.fillText(short_value(parts[at].value, figure.unit), bar.x + 6, bar.y);
            });
        },
    });
    function ranked_bars(figure) {
        const parts = ranks(figure);
        const rows = parts.map((_, row) => row);
        const datasets = [{
            label: figure.categories[0],
            data: parts.map((part, row) => ({ x: part.value ?? 0, y: row })),
            backgroundColor: parts.map((part) => heddle.colours.fill({ ...part.look, pattern: 0 })),
            categoryPercentage: 1,
            barPercentage: 0.72,
        }];
        return configuration("bar", figure, datasets, {
            x: axis(figure.unit, { type: "linear", beginAtZero: true }),
            y: placed_axis("", rows, parts.map((part) => part.name), { min: -0.5, max: rows.length - 0.5, reverse: true },
                { axis: "y" }),
        }, {
            indexAxis: "y",
            layout: { padding: { right: 76 } },
            interaction: { mode: "nearest", axis: "y", intersect: false },
            plugins: [values_behind(figure, parts)],
            tooltip: {
                displayColors: false,
                callbacks: {
                    title: (items) => items.length ? parts[items[0].dataIndex].name : "",
                    label: (item) => `${figure.categories[0]}: ${with_unit(parts[item.dataIndex].value, figure.unit)}`,
                },
            },
        });
    }

    // A place for every bar: those of a category side by side, then an empty one.
    function stacked_bars(figure) {
        if (is_ranked(figure)) return ranked_bars(figure);
        const stacks = distinct(figure.series.map((s) => s.stack));
        const parts = distinct(figure.series.map((s) => s.name));
        const looks = heddle.colours.of_series(parts);
        const { first, place, places } = spread(figure);
        const step = stacks.length + (stacks.length > 1 ? 1 : 0);
        const bars = figure.categories.flatMap((category, c) =>
            stacks.map((stack, s) => ({ category, c, stack, x: place(c) * step + s })));
        const value = (part, { c, stack }) =>
            figure.series.find((s) => s.name === part && s.stack === stack)?.values[c] ?? null;
        const datasets = parts.map((part, i) => ({
            label: part,
            data: bars.map((bar) => ({ x: bar.x, y: value(part, bar) })),
            backgroundColor: heddle.colours.fill(looks[i]),
            categoryPercentage: 1,
            barPercentage: stacks.length > 1 ? 0.88 : 0.66,
            maxBarThickness: 96,
            stack: "all",
        }));
        const range = { min: stacks.length > 1 ? -1 : -0.5, max: places * step - (stacks.length > 1 ? 1 : 0.5) };
        const middle = figure.categories.map((_, c) => place(c) * step + (stacks.length - 1) / 2);
        const scales = { y: axis(figure.unit, { beginAtZero: true, stacked: true, max: whole(figure, bars, parts, value) }) };
        if (stacks.length > 1) {
            scales.x = placed_axis("", bars.map((b) => b.x), bars.map((b) => b.stack), range, { stacked: true });
            scales.category = placed_axis(figure.category, middle, figure.categories, range,
                { ticks: { font: { weight: "600" } }, grid: { drawBorder: false } });
        } else {
            scales.x = placed_axis(figure.category, middle, figure.categories, range, { stacked: true });
        }
        return configuration("bar", figure, datasets, scales, {
            plugins: first === Infinity ? [crosses(true)]
                : [tint("x", place(first) * step - (stacks.length > 1 ? 0.9 : 0.6), range.max), crosses(true)],
            tooltip: {
                itemSort: (a, b) => b.datasetIndex - a.datasetIndex, // as they stand
                filter: (item) => item.raw.y !== 0 && item.raw.y !== null,
                callbacks: {
                    title: (items) => {
                        if (!items.length) return "";
                        const bar = bars[items[0].dataIndex];
                        return bar.stack ? `${bar.category}: ${bar.stack}` : bar.category;
                    },
                    label: (item) => ` ${item.dataset.label}: ${with_unit(item.raw.y, figure.unit)}`,
                },
            },
        });
    }
    // Shares of a whole end at it: rounding must not add a line above 100 %.
    function whole(figure, bars, parts, value) {
        if (!figure.unit.startsWith("%")) return undefined;
        const sums = bars.map((bar) => parts.reduce((sum, part) => sum + (value(part, bar) ?? 0), 0));
        return Math.max(...sums) > 90 && Math.max(...sums) < 100.1 ? 100 : undefined;
    }

    Object.assign(kinds, { grouped_bars, stacked_bars });
    return { is_ranked, ranks };
})();
