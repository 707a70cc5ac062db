"use strict";
// Charts of rows: heat maps, spans of time, bands from a lowest to a highest value.
(() => {
    const { kinds, points, written, with_unit, greatest, axis, placed_axis, configuration } = heddle.charts;

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

    Object.assign(kinds, { heat_map, spans, bands });
})();
