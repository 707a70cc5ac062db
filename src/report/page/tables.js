"use strict";
// Tables that sort by a column: upwards, downwards, and as they came.
heddle.tables = (() => {
    const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

    function compare(a, b) {
        if (a === undefined || b === undefined) return 0;
        const one = a.dataset.value, other = b.dataset.value;
        if (one !== undefined && other !== undefined) return Number(one) - Number(other);
        return collator.compare(a.textContent, b.textContent);
    }
    const is_missing = (cell) => cell === undefined || cell.classList.contains("missing") || cell.textContent === "";

    // What has no value comes last whichever way.
    function sort(table, original, column, direction) {
        const body = table.tBodies[0];
        const rows = [...original];
        if (direction !== "none")
            rows.sort((a, b) => {
                const one = a.cells[column], other = b.cells[column];
                if (is_missing(one) || is_missing(other)) return is_missing(one) - is_missing(other);
                return direction === "ascending" ? compare(one, other) : compare(other, one);
            });
        body.append(...rows);
    }

    function make_sortable(table) {
        const original = [...table.tBodies[0].rows];
        if (original.length < 2) return;
        const headings = [...table.tHead.rows[0].cells];
        headings.forEach((heading, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.append(...heading.childNodes);
            if (button.textContent === "") button.setAttribute("aria-label", "name");
            heading.append(button);
            heading.setAttribute("aria-sort", "none");
            button.addEventListener("click", () => {
                const next = { none: "ascending", ascending: "descending", descending: "none" };
                const direction = next[heading.getAttribute("aria-sort")];
                headings.forEach((other) => other.setAttribute("aria-sort", "none"));
                heading.setAttribute("aria-sort", direction);
                sort(table, original, column, direction);
            });
        });
    }

    return { make_sortable };
})();
