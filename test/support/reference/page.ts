import { readFileSync, writeFileSync } from "node:fs";

const DOCS = new URL("../../../docs/reference/", import.meta.url);

/** Writes a page of docs/reference/ if RECORD_DOCS is set (`npm run docs`). */
export function recordPage(name: string, text: string): void {
  if (process.env.RECORD_DOCS) writeFileSync(new URL(name, DOCS), text);
}

export const readPage = (name: string): string => readFileSync(new URL(name, DOCS), "utf8");

/** Returns a page with the note that it is generated, its parts parted by empty lines. */
export function pageOf(title: string, source: string, ...parts: string[]): string {
  const note = `<!-- Made by \`npm run docs\` from ${source}. -->`;
  return `${[`# ${title}`, note, ...parts].join("\n\n")}\n`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(heads), `|${"---|".repeat(heads.length)}`, ...rows.map(line)].join("\n");
}
