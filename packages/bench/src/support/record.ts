import { appendFileSync } from "node:fs";

export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

export interface Figure {
  figure: string;
  aim?: string;
}

/** The measurements of one run of a bench. */
export interface Run {
  bench: string;
  /** `2026-11-28`, in UTC. */
  date: string;
  machine: string;
  commit: string;
  figures: Figure[];
}

/** Names the file to which a bench that `all --record` runs appends its tables. */
export const TABLES_VARIABLE = "BENCH_TABLES";

export function recordTable(table: Table): void {
  const file = process.env[TABLES_VARIABLE];
  if (file) appendFileSync(file, `${JSON.stringify(table)}\n`);
}

/** Rows of a table that stand for it. */
const MOST_ROWS = 5;

/** Returns the first rows of each table that names its aim in its title, else of the first table. */
export function toFigures(tables: readonly Table[]): Figure[] {
  const withAims = tables.filter(({ title }) => title.includes("(aim"));
  return (withAims.length > 0 ? withAims : tables.slice(0, 1)).map(({ title, columns, rows }) => {
    const lines = rows.slice(0, MOST_ROWS).map(([name = "", ...values]) => {
      const cells = values.map((value, index) => `${columns[index + 1] ?? ""} ${formatValue(value)}`.trim());
      return `${name}: ${cells.join(", ")}`;
    });
    const aim = /\(aim:? (.*)\)/.exec(title)?.[1];
    return { figure: lines.join("; "), ...(aim ? { aim } : {}) };
  });
}

export function formatValue(value: string | number): string {
  if (typeof value === "string") return value;
  return value >= 1_000 ? Math.round(value).toLocaleString("en-US") : String(Math.round(value * 100) / 100);
}

/** Replaces the table between the marks of a page by one of these runs. */
export function writeRuns(page: string, runs: readonly Run[]): string {
  const rows = runs.flatMap(({ bench, date, machine, commit, figures }) =>
    figures.map(({ figure, aim = "" }, index) =>
      index === 0 ? [`[${bench}](#${bench})`, date, machine, commit, figure, aim] : ["", "", "", "", figure, aim],
    ),
  );
  const lines = [["bench", "date", "machine", "commit", "figure", "aim"], Array<string>(6).fill("---"), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  );
  return page.replace(/(?<=<!-- runs -->\n)[^]*(?=\n<!-- end of runs -->)/, () => ["", ...lines, ""].join("\n"));
}
