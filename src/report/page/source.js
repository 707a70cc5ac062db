"use strict";
// Source listings: the chosen figure, what is below a line, lines that are not shown, jumps from a cause to its lines.
heddle.source = (() => {
    const listings = JSON.parse(document.getElementById("sources").textContent);

    function element(name, { text, kind, ...attributes } = {}, ...children) {
        const out = document.createElement(name);
        if (text !== undefined) out.textContent = text;
        if (kind) out.className = kind;
        for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, value);
        out.append(...children);
        return out;
    }
    const written = (value, decimals) => value === null || value === undefined ? "" :
        value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

    // How remarkable values are, 0 to 1.
    function heat_of(listing, at) {
        const values = listing.rows.flatMap((row) => row.runs.map((run) => run?.values[at] ?? null)).filter((v) => v !== null);
        const most = Math.max(0, ...values);
        const share = (value) => (most === 0 ? 0 : value / most);
        return listing.columns[at].least ? (value) => (most === 0 ? 0 : 1 - share(value)) : share;
    }

    function show_column(listing, name) {
        const at = listing.columns.findIndex((column) => column.name === name);
        if (at < 0) return;
        const column = listing.columns[at], heat = heat_of(listing, at), root = document.getElementById(listing.id);
        listing.select.value = name;
        listing.meaning.textContent = column.unit && column.unit !== "%" ? `${column.meaning}, in ${column.unit}` : column.meaning;
        for (const table of root.querySelectorAll("table[data-file]")) {
            table.querySelectorAll("thead th.heat").forEach((heading, run) => {
                heading.textContent = listing.runs.length > 1 ? `${column.heading}, ${listing.runs[run]}` : column.heading;
                heading.title = column.meaning;
            });
            for (const tr of table.querySelectorAll("tr[data-row]")) {
                const values = listing.rows[tr.dataset.row].runs.map((run) => run?.values[at] ?? null);
                tr.querySelectorAll(":scope > td.heat").forEach((cell, run) => {
                    cell.textContent = written(values[run], column.decimals);
                    cell.style.setProperty("--heat", values[run] === null ? 0 : heat(values[run]).toFixed(3));
                });
                const change = tr.querySelector(":scope > td.difference");
                if (change) {
                    const by = (values[1] ?? 0) - (values[0] ?? 0);
                    change.textContent = values.every((v) => v === null) ? "" : (by > 0 ? "+" : "") + written(by, column.decimals);
                }
            }
        }
    }

    const groups = { figure: "cost, means and shares", counter: "counts", cause: "slots that stayed empty" };

    function chooser(listing) {
        listing.select = element("select", { id: `${listing.id}-column` });
        for (const [kind, label] of Object.entries(groups)) {
            const columns = listing.columns.filter((column) => column.kind === kind);
            if (columns.length) listing.select.append(element("optgroup", { label }, ...columns.map((column) =>
                element("option", { value: column.name, text: kind === "cause" ? listing.words[column.name] : column.heading }))));
        }
        listing.meaning = element("span", { kind: "meaning" });
        listing.select.addEventListener("change", () => show_column(listing, listing.select.value));
        return [element("label", { for: listing.select.id, text: "Figure in the first column" }), listing.select, listing.meaning];
    }

    const row_link = (listing, row) => element("a", { href: `#${listing.id}-row-${row}`, text: listing.rows[row].place });

    function small_table(headings, rows) {
        const is_number = (cell) => typeof cell === "string" && /^[\d,.]+$/.test(cell);
        const cells = (row) => element("tr", {}, ...row.map((cell) => typeof cell === "string"
            ? element("td", { text: cell, kind: is_number(cell) ? "number" : "" }) : element("td", {}, cell ?? "")));
        return element("table", {}, element("thead", {}, element("tr", {}, ...headings.map((text, at) =>
                element("th", { scope: "col", text, kind: rows.every((row) => is_number(row[at])) ? "number" : "" })))),
            element("tbody", {}, ...rows.map(cells)));
    }

    // What is known of a line in a run: every figure, the slots that stayed empty, its instructions.
    function details(listing, costs) {
        const out = ["figure", "counter"].map((kind) => {
            const figures = listing.columns.map((column, at) => ({ column, value: costs.values[at] }))
                .filter(({ column, value }) => value !== null && value !== 0 && column.kind === kind)
                .map(({ column, value }) => column.unit === "%" ? `${column.heading.replace(" %", "")} ${written(value, column.decimals)} %`
                    : `${column.heading} ${written(value, column.decimals)}`);
            return element("p", { text: `${groups[kind]}: ${figures.join(", ")}` });
        });
        if (costs.stalls.length)
            out.push(small_table(["slots", "stayed empty", "for results of"], costs.stalls.map(([cause, slots, producer]) =>
                [written(slots, 0), listing.words[cause], producer === null ? "" : row_link(listing, producer)])));
        if (costs.instructions.length) {
            const inlined = costs.instructions.some((i) => i[6]);
            out.push(small_table(["PC", "PTX", "executions", "lanes", "slots", "most slots", ...(inlined ? ["inlined at"] : [])],
                costs.instructions.map(([pc, text, executions, lanes, slots, cause, path]) =>
                    [String(pc), text, written(executions, 0), written(lanes, 1), written(slots, 0), cause, ...(inlined ? [path] : [])])));
        }
        return out;
    }

    function toggle_details(listing, tr, button) {
        const open = button.getAttribute("aria-expanded") === "true";
        for (const other of tr.querySelectorAll("button")) other.setAttribute("aria-expanded", String(!open));
        if (open) {
            tr.nextElementSibling.remove();
            return;
        }
        const cell = element("td", { colspan: tr.parentElement.parentElement.tHead.rows[0].cells.length });
        listing.rows[tr.dataset.row].runs.forEach((costs, run) => {
            if (costs === null) return;
            if (listing.runs.length > 1) cell.append(element("h4", { text: listing.runs[run] }));
            cell.append(...details(listing, costs));
        });
        tr.after(element("tr", { kind: "detail" }, cell));
    }

    function make_buttons(listing, tr) {
        for (const number of tr.querySelectorAll(":scope > th")) {
            if (!number.textContent) continue;
            const button = element("button", { type: "button", text: number.textContent, title: "what this line did, and its PTX",
                                               "aria-expanded": "false" });
            button.addEventListener("click", () => toggle_details(listing, tr, button));
            number.replaceChildren(button);
        }
    }

    function show_gap(listing, tr, lines) {
        const two = listing.runs.length > 1;
        tr.replaceWith(...lines.map(([numbers, text]) => element("tr", {},
            ...Array.from({ length: two ? 3 : 1 }, () => element("td")),
            ...numbers.map((number) => element("th", { scope: "row", text: number || "" })),
            ...(two ? [element("td", { kind: "mark", text: numbers[0] ? numbers[1] ? "" : "−" : "+" })] : []),
            element("td", { kind: "code", text }))));
    }
    function make_gap(listing, tr, lines) {
        if (lines === undefined) return;
        const button = element("button", { type: "button", text: tr.textContent.trim(), title: "show them" });
        button.addEventListener("click", () => show_gap(listing, tr, lines));
        tr.cells[0].replaceChildren(button);
    }

    // A link to a line opens its file.
    function reveal(target) {
        for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    }

    for (const listing of listings) {
        const root = document.getElementById(listing.id);
        root.querySelector(".chosen").append(...chooser(listing));
        root.querySelectorAll("tr[data-row]").forEach((tr) => make_buttons(listing, tr));
        root.querySelectorAll("table[data-file]").forEach((table) => table.querySelectorAll("tr.gap").forEach((tr) =>
            make_gap(listing, tr, listing.files[table.dataset.file][tr.dataset.from])));
        root.addEventListener("click", (event) => {
            const link = event.target.closest("a[href^='#']");
            if (!link) return;
            reveal(document.getElementById(link.getAttribute("href").slice(1)));
            if (link.dataset.column) show_column(listing, link.dataset.column);
        });
        show_column(listing, "cost");
    }
    reveal(document.getElementById(location.hash.slice(1)));

    return { listings };
})();
