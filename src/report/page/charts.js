"use strict";
// What Chart.js draws of each kind of figure: heddle.charts.configuration(figure) and what belongs below a chart.
heddle.charts = (() => {
    const points = ["circle", "rect", "triangle", "rectRot", "star", "crossRot"];
    const dashes = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

    // As the tables have them: whole numbers in full, others with four digits.
    function written(value) {
        if (value === null || value === undefined) return "no value";
        if (Number.isInteger(value)) return value.toLocaleString("en-US");
        if (Math.abs(value) >= 1000) return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
        return value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
    }
    const with_unit = (value, unit) => written(value) + (unit && value !== null ? (unit === "%" ? " %" : ` ${unit}`) : "");
    const distinct = (list) => [...new Set(list)];

    const shortened = (text) =>
        /^\d{5,}$/.test(text) ? written(Number(text)) : text.length > 30 ? `${text.slice(0, 29)}…` : text;

    function title(text) {
        return { display: Boolean(text), text: shortened(text), color: heddle.colours.variable("--soft") };
    }
    function axis(text, more = {}) {
        const line = heddle.colours.variable("--line");
        return {
            title: title(text),
            ticks: { color: heddle.colours.variable("--soft"), ...more.ticks },
            ...more,
            grid: { color: line, borderColor: heddle.colours.variable("--axis"), tickColor: line, ...more.grid },
        };
    }
    // An axis without lines of its own whose ticks stand where they are told to, each with a text.
    function placed_axis(text, at, texts, range, more = {}) {
        return axis(text, {
            axis: "x",
            type: "linear",
            offset: false,
            ...range,
            ...more,
            grid: { drawOnChartArea: false, drawTicks: false, ...more.grid },
            ticks: {
                autoSkip: false,
                color: heddle.colours.variable("--ink"),
                callback: (_, index) => shortened(texts[index] ?? ""),
                ...more.ticks,
            },
            afterBuildTicks: (scale) => {
                scale.ticks = at.map((value) => ({ value }));
            },
        });
    }

    function configuration(type, figure, datasets, scales, options = {}) {
        const { tooltip = {}, interaction = { mode: "index", intersect: false }, labels, plugins = [], ...others } = options;
        return {
            type,
            data: { labels, datasets },
            plugins,
            options: {
                animation: false,
                responsive: true,
                maintainAspectRatio: false,
                locale: "en-US",
                interaction,
                ...others,
                scales,
                plugins: {
                    legend: { display: false },
                    tooltip: {
                        backgroundColor: heddle.colours.variable("--tip"),
                        titleColor: "#fff",
                        bodyColor: "#fff",
                        padding: 9,
                        cornerRadius: 4,
                        boxPadding: 5,
                        ...tooltip,
                    },
                },
            },
        };
    }

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
    // Its meaning, for the legend.
    const has_crosses = (figure) => ["grouped_bars", "stacked_bars"].includes(figure.kind) &&
        figure.series.some((s) => figure.categories.some((_, c) => (s.values[c] ?? null) === null));

    // The standard deviation over seeds, as a line about the end of each bar or the point of a line.
    const deviations = (figure) => ({
        id: "deviations",
        afterDatasetsDraw(chart) {
            const pen = chart.ctx, scale = chart.scales.y;
            pen.strokeStyle = heddle.colours.variable("--ink");
            pen.lineWidth = 1;
            chart.data.datasets.forEach((set, at) => chart.getDatasetMeta(at).data.forEach((mark, i) => {
                const of = figure.series[at].spread?.[i];
                if (!of || !chart.isDatasetVisible(at)) return;
                const [top, bottom] = [1, -1].map((sign) => scale.getPixelForValue(set.data[i].y + sign * of.deviation));
                pen.beginPath();
                for (const [x1, y1, x2, y2] of [[0, top, 0, bottom], [-3, top, 3, top], [-3, bottom, 3, bottom]]) {
                    pen.moveTo(mark.x + x1, y1);
                    pen.lineTo(mark.x + x2, y2);
                }
                pen.stroke();
            }));
        },
    });
    function with_spread(figure, item) {
        const of = figure.series[item.datasetIndex].spread?.[item.dataIndex];
        return with_unit(item.raw.y, figure.unit) +
            (of ? `, ± ${written(of.deviation)}, from ${written(of.minimum)} to ${written(of.maximum)}` : "");
    }

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
            y: axis(figure.unit, { beginAtZero: true }),
        }, {
            plugins: [...(first === Infinity ? [] : [tint("x", place(first) - 0.6, places - 0.5)]), crosses(false),
                deviations(figure)],
            tooltip: {
                callbacks: {
                    title: (items) => items.length ? figure.categories[items[0].dataIndex] : "",
                    label: (item) => ` ${item.dataset.label}: ${with_spread(figure, item)}`,
                },
            },
        });
    }

    // A place for every bar: those of a category side by side, then an empty one.
    function stacked_bars(figure) {
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
        if (figure.unit !== "%") return undefined;
        const sums = bars.map((bar) => parts.reduce((sum, part) => sum + (value(part, bar) ?? 0), 0));
        return Math.max(...sums) > 90 && Math.max(...sums) < 100.1 ? 100 : undefined;
    }

    // Sweeps that double, or more, from each step to the next are drawn so.
    function is_geometric(x) {
        return x.length > 2 && x[0] > 0 && x.every((value, i) => i === 0 || value >= 1.9 * x[i - 1]);
    }
    // How a line is told apart without its colour. Many points on a jagged line leave no room for marks or dashes.
    function line_look(figure, at) {
        return figure.categories.length <= 40
            ? { point: points[at % points.length], dash: dashes[at % dashes.length] } : { point: null, dash: [] };
    }
    function lines(figure) {
        const numeric = figure.categories.map((c) => (c.trim() === "" ? NaN : Number(c)));
        const is_numeric = numeric.every(Number.isFinite);
        const x = is_numeric ? numeric : figure.categories.map((_, c) => c);
        const looks = heddle.colours.of_series(figure.series.map((s) => s.name));
        const few = x.length <= 40;
        const datasets = figure.series.map((s, i) => ({
            label: s.name,
            data: x.map((at, c) => ({ x: at, y: s.values[c] ?? null })),
            borderColor: looks[i].colour,
            backgroundColor: looks[i].colour,
            borderDash: line_look(figure, i).dash,
            borderWidth: few ? 2 : 1.5,
            pointStyle: line_look(figure, i).point ?? "circle",
            pointRadius: few ? 4 : 0,
            pointHoverRadius: 6,
            clip: 8,
        }));
        const geometric = is_numeric && is_geometric(numeric);
        const everywhere = few && (geometric || !is_numeric || x.length <= 16);
        const alone = Math.min(...x) === Math.max(...x); // one point stands in the middle
        const range = { min: Math.min(...x) - (alone ? 1 : 0), max: Math.max(...x) + (alone ? 1 : 0) };
        const scale = everywhere
            ? placed_axis(figure.category, x, figure.categories, range,
                { type: geometric ? "logarithmic" : "linear", grid: { drawOnChartArea: true, drawTicks: true },
                  ticks: { autoSkip: true } })
            : axis(figure.category, { type: "linear", ...range });
        return configuration("line", figure, datasets, { x: scale, y: axis(figure.unit, { beginAtZero: true }) }, {
            layout: { padding: { right: 14, top: 6 } },
            plugins: [deviations(figure)],
            tooltip: {
                callbacks: {
                    title: (items) => items.length ? `${figure.category} ${figure.categories[items[0].dataIndex]}` : "",
                    label: (item) => ` ${item.dataset.label}: ${with_spread(figure, item)}`,
                },
            },
        });
    }

    const greatest = (figure) => Math.max(0, ...figure.series.map((s) => Math.max(0, ...s.values.map((v) => v ?? 0))));

    function heat_map(figure) {
        const most = greatest(figure);
        const none = heddle.colours.variable("--tint");
        const rows = figure.series.length;
        const datasets = figure.series.map((s, r) => ({
            label: s.name,
            data: figure.categories.map((_, c) => ({ x: c, y: [r, r + 1] })),
            backgroundColor: figure.categories.map((_, c) =>
                s.values[c] === null || s.values[c] === undefined ? "transparent"
                    : s.values[c] === 0 || most === 0 ? none : heddle.colours.ramp(s.values[c] / most)),
            categoryPercentage: 1,
            barPercentage: 1,
            grouped: false,
            borderWidth: 0.5,
            borderSkipped: false,
            borderColor: heddle.colours.variable("--paper"),
        }));
        const places = figure.categories.map((_, c) => c);
        return configuration("bar", figure, datasets, {
            x: placed_axis(figure.category, places, figure.categories, { min: -0.5, max: figure.categories.length - 0.5 },
                { ticks: { autoSkip: true, autoSkipPadding: 14, maxRotation: 0 } }),
            y: placed_axis("", figure.series.map((_, r) => r + 0.5), figure.series.map((s) => s.name),
                { min: 0, max: rows, reverse: true }, { axis: "y", ticks: { autoSkip: true } }),
        }, {
            interaction: { mode: "point", intersect: true },
            tooltip: {
                displayColors: false,
                callbacks: {
                    title: (items) => items.length
                        ? `${items[0].dataset.label}, ${figure.category} ${figure.categories[items[0].dataIndex]}` : "",
                    label: (item) => with_unit(figure.series[item.datasetIndex].values[item.dataIndex], figure.unit),
                },
            },
        });
    }

    // The names of spans in them, where there is room.
    const names = (spans) => ({
        id: "names",
        afterDatasetsDraw(chart) {
            const pen = chart.ctx;
            pen.font = "11px sans-serif";
            pen.textAlign = "center";
            pen.textBaseline = "middle";
            pen.fillStyle = heddle.colours.variable("--paper");
            chart.getDatasetMeta(0).data.forEach((bar, i) => {
                const { x, y, base } = bar.getProps(["x", "y", "base"]);
                if (pen.measureText(spans[i].label).width < Math.abs(x - base) - 6)
                    pen.fillText(spans[i].label, (x + base) / 2, y);
            });
        },
    });

    function spans(figure) {
        const all = figure.series.flatMap((s, row) =>
            s.spans.map(([begin, end, label], i) => ({ row, name: s.name, begin, end, label, odd: i % 2 })));
        const colours = heddle.colours.is_dark() ? ["#7f96d8", "#a9baf0"] : ["#3b528b", "#5d76b5"];
        const datasets = [{
            label: figure.category,
            data: all.map((s) => ({ x: [s.begin, s.end], y: s.row })),
            backgroundColor: all.map((s) => colours[s.odd]),
            borderColor: heddle.colours.variable("--paper"),
            borderWidth: { left: 0, right: 1, top: 0, bottom: 0 },
            borderSkipped: false,
            grouped: false,
            categoryPercentage: 1,
            barPercentage: 0.8,
            minBarLength: 2,
        }];
        const rows = figure.series.map((_, row) => row);
        return configuration("bar", figure, datasets, {
            x: axis(figure.unit, { type: "linear", beginAtZero: true, max: Math.max(1, ...all.map((s) => s.end)),
                                   ticks: { color: heddle.colours.variable("--soft"), autoSkipPadding: 16, maxRotation: 0 } }),
            y: placed_axis(figure.category, rows, figure.series.map((s) => s.name),
                { min: -0.5, max: figure.series.length - 0.5, reverse: true }, { axis: "y", ticks: { autoSkip: true } }),
        }, {
            indexAxis: "y",
            interaction: { mode: "point", intersect: true },
            plugins: [names(all)],
            tooltip: {
                displayColors: false,
                callbacks: {
                    title: (items) => items.length ? `${all[items[0].dataIndex].label} (${all[items[0].dataIndex].name})` : "",
                    label: (item) => {
                        const { begin, end } = all[item.dataIndex];
                        return `${written(begin)} to ${written(end)}: ${with_unit(end - begin, figure.unit)}`;
                    },
                },
            },
        });
    }

    // A bar from the lowest to the highest value of each category, and marks on it.
    function bands(figure) {
        const values = (name) => figure.series.find((s) => s.name === name)?.values ?? [];
        const [lowest, highest] = [values("lowest"), values("highest")];
        const marks = figure.series.filter((s) => !["lowest", "highest"].includes(s.name));
        const looks = heddle.colours.of_series(marks.map((s) => s.name));
        const rows = figure.categories.map((_, row) => row);
        const band = {
            label: "band",
            data: rows.map((row) => ({ x: [lowest[row] ?? null, highest[row] ?? null], y: row })),
            backgroundColor: heddle.colours.variable("--axis"),
            grouped: false,
            categoryPercentage: 1,
            barPercentage: 0.5,
            minBarLength: 2,
            order: 1,
        };
        const points_of = (s, i) => ({
            type: "line",
            label: s.name,
            data: rows.filter((row) => (s.values[row] ?? null) !== null).map((row) => ({ x: s.values[row], y: row })),
            showLine: false,
            pointStyle: points[i % points.length],
            pointRadius: 6,
            backgroundColor: looks[i].colour,
            borderColor: looks[i].colour,
            order: 0,
        });
        return configuration("bar", figure, [band, ...marks.map(points_of)], {
            x: axis(figure.unit, { type: "linear" }),
            y: placed_axis("", rows, figure.categories, { min: -0.5, max: rows.length - 0.5, reverse: true }, { axis: "y" }),
        }, {
            indexAxis: "y",
            interaction: { mode: "nearest", axis: "y", intersect: false },
            tooltip: {
                displayColors: false,
                callbacks: {
                    title: (items) => items.length ? figure.categories[items[0].raw.y] : "",
                    label: (item) => {
                        const row = item.raw.y;
                        const all = marks.map((s) => `${s.name} ${with_unit(s.values[row] ?? null, figure.unit)}`);
                        return [`${written(lowest[row])} to ${with_unit(highest[row] ?? null, figure.unit)}`, ...all];
                    },
                },
            },
        });
    }

    // Pixels of the plot: how high, and how wide it must be at least (else it scrolls).
    function size(figure) {
        const rows = figure.series.length;
        if (figure.kind === "heat_map") return { height: Math.min(rows, 40) * (rows > 20 ? 15 : 22) + 70, width: 0 };
        if (figure.kind === "bands") return { height: figure.categories.length * 28 + 70, width: 0 };
        if (figure.kind === "spans") return { height: Math.min(rows, 60) * 24 + 64, width: 0 };
        const stacks = distinct(figure.series.map((s) => s.stack)).length;
        const longest = Math.max(0, ...(stacks > 1 ? figure.series.map((s) => s.stack) : figure.categories)
            .map((name) => name.length));
        const bars = figure.categories.length * (figure.kind === "stacked_bars" ? stacks + 1 : rows + 1);
        const crowded = figure.kind !== "lines" && longest * 6.5 * figure.categories.length * stacks > 900;
        return { height: 320 + (crowded ? Math.min(longest * 4, 110) : 0), width: figure.kind === "lines" ? 0 : bars * 8 };
    }

    // The names that the legend tells apart.
    function legend_names(figure) {
        if (figure.kind === "heat_map" || figure.kind === "spans") return [];
        if (figure.kind === "bands") return figure.series.map((s) => s.name).filter((n) => !["lowest", "highest"].includes(n));
        const parts = distinct(figure.series.map((s) => s.name));
        return parts.length === 1 && (parts[0] === "" || figure.kind !== "lines") ? [] : parts;
    }

    return { kinds: { grouped_bars, stacked_bars, lines, heat_map, spans, bands }, size, legend_names, has_crosses, greatest, written,
             with_unit, line_look };
})();
