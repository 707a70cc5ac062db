"use strict";
// What Chart.js draws of a figure: heddle.charts.kinds has a function for each kind, from bars.js, lines.js and maps.js.
// Here is what the kinds have in common: numbers and names, axes, marks, sizes.
heddle.charts = (() => {
    const points = ["circle", "rect", "triangle", "rectRot", "star", "crossRot"];
    const kinds = {};

    // As the tables have them: whole numbers in full, others with four digits.
    function written(value) {
        if (value === null || value === undefined) return "no value";
        if (Number.isInteger(value)) return value.toLocaleString("en-US");
        if (Math.abs(value) >= 1000) return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
        return value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
    }
    const with_unit = (value, unit) => written(value) + (unit && value !== null ? (unit === "%" ? " %" : ` ${unit}`) : "");
    const distinct = (list) => [...new Set(list)];
    const greatest = (figure) => Math.max(0, ...figure.series.map((s) => Math.max(0, ...s.values.map((v) => v ?? 0))));

    // A name in lines of at most so many characters, broken behind a space, or a sign in a word that is longer; names are
    // never cut.
    function wrapped(text, most) {
        if (/^\d{5,}$/.test(text)) return written(Number(text));
        const out = [];
        let line = "";
        const pieces = text.split(/(?<=\s)/).flatMap((word) => (word.length > most ? word.split(/(?<=[_/:,+.-])/) : [word]));
        for (const word of pieces) {
            if (line && (line + word.trimEnd()).length > most) {
                out.push(line.trimEnd());
                line = "";
            }
            line += word;
            while (line.length > 2 * most) {
                out.push(line.slice(0, most));
                line = line.slice(most);
            }
        }
        if (line.trim()) out.push(line.trimEnd());
        return out.length > 1 ? out : text;
    }
    // Characters of a line of names below `places` bars, and beside rows.
    const below = (places) => Math.min(30, Math.max(10, Math.floor(150 / places)));
    const beside = () => (document.documentElement.clientWidth < 600 ? 16 : 46);

    function axis(text, more = {}) {
        const line = heddle.colours.variable("--line");
        return {
            title: { display: Boolean(text), text: wrapped(text, 60), color: heddle.colours.variable("--soft") },
            ticks: { color: heddle.colours.variable("--soft"), ...more.ticks },
            ...more,
            grid: { color: line, borderColor: heddle.colours.variable("--axis"), tickColor: line, ...more.grid },
        };
    }
    // An axis without lines of its own whose ticks stand where they are told to, each with a text.
    function placed_axis(text, at, texts, range, more = {}) {
        const most = more.axis === "y" ? beside() : below(texts.length);
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
                callback: (_, index) => wrapped(texts[index] ?? "", most),
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

    // The values that a paper publishes, as diamonds on the bars and lines of the cells that they are about.
    const marked_kinds = ["grouped_bars", "lines"];
    const published = (figure) => (marked_kinds.includes(figure.kind) ? figure.published : []);
    const published_of = (figure, series, category) =>
        published(figure).filter((mark) => mark.series === series && mark.category === category);
    const diamonds = (figure) => ({
        id: "published",
        afterDatasetsDraw(chart) {
            const pen = chart.ctx;
            for (const { series, category, value } of published(figure)) {
                if (!chart.isDatasetVisible(series)) continue;
                const x = chart.getDatasetMeta(series).data[category].x, y = chart.scales.y.getPixelForValue(value);
                pen.beginPath();
                for (const [right, down] of [[0, -6], [6, 0], [0, 6], [-6, 0]]) pen.lineTo(x + right, y + down);
                pen.closePath();
                pen.fillStyle = heddle.colours.variable("--ink");
                pen.strokeStyle = heddle.colours.variable("--paper");
                pen.lineWidth = 2;
                pen.stroke();
                pen.fill();
            }
        },
    });
    // The range of an axis of values, which holds the published ones too.
    function value_range(figure) {
        const values = published(figure).map((mark) => mark.value);
        return values.length ? { suggestedMin: Math.min(...values), suggestedMax: Math.max(...values) } : {};
    }

    // A value with all that is known of it: what hovering shows.
    function in_words(figure, item) {
        const of = figure.series[item.datasetIndex].spread?.[item.dataIndex];
        return with_unit(item.raw.y, figure.unit) +
            (of ? `, ± ${written(of.deviation)}, from ${written(of.minimum)} to ${written(of.maximum)}` : "") +
            published_of(figure, item.datasetIndex, item.dataIndex).map((mark) => `; published: ${mark.text}`).join("");
    }

    // Pixels of the plot: how high, and how wide it must be at least (else it scrolls).
    function size(figure) {
        const rows = figure.series.length;
        if (figure.kind === "heat_map") return { height: Math.min(rows, 40) * (rows > 20 ? 15 : 22) + 70, width: 0 };
        if (figure.kind === "bands") return { height: figure.categories.length * 28 + 70, width: 0 };
        if (figure.kind === "spans") return { height: rows * (rows > 48 ? 13 : 24) + 64, width: 0 };
        if (heddle.bars.is_ranked(figure)) return { height: heddle.bars.ranks(figure).length * (document.documentElement.clientWidth < 600 ? 44 : 28) + 60, width: 0 };
        const stacks = distinct(figure.series.map((s) => s.stack)).length;
        const longest = Math.max(0, ...(stacks > 1 ? figure.series.map((s) => s.stack) : figure.categories)
            .map((name) => name.length));
        const bars = figure.categories.length * (figure.kind === "stacked_bars" ? stacks + 1 : rows + 1);
        const crowded = figure.kind !== "lines" && longest * 6.5 * figure.categories.length * stacks > 900;
        return { height: 320 + (crowded ? Math.min(longest * 4, 110) : 0), width: figure.kind === "lines" ? 0 : bars * 8 };
    }

    // The names that the legend tells apart.
    function legend_names(figure) {
        if (["heat_map", "spans"].includes(figure.kind) || heddle.bars.is_ranked(figure)) return [];
        if (figure.kind === "bands") return figure.series.map((s) => s.name).filter((n) => !["lowest", "highest"].includes(n));
        const parts = distinct(figure.series.map((s) => s.name));
        return parts.length === 1 && (parts[0] === "" || figure.kind !== "lines") ? [] : parts;
    }
    // A cross in a chart of bars is a missing value: its meaning, for the legend.
    const has_crosses = (figure) => ["grouped_bars", "stacked_bars"].includes(figure.kind) && !heddle.bars.is_ranked(figure) &&
        figure.series.some((s) => figure.categories.some((_, c) => (s.values[c] ?? null) === null));

    return { kinds, points, distinct, greatest, written, with_unit, wrapped, axis, placed_axis, configuration, deviations, diamonds,
             published, value_range, in_words, size, legend_names, has_crosses };
})();
