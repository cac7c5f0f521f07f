/** See design, Catalog. */
export const COLUMNS = [
  "part_number",
  "title",
  "description",
  "category",
  "list_price",
  "currency",
  "status",
  "image_url",
  "superseded_by",
] as const;
export type Column = (typeof COLUMNS)[number];

export const REQUIRED_COLUMNS = ["part_number", "title"] as const satisfies readonly Column[];

export type FileRow = { line: number; fields: Partial<Record<Column, string>> } | { line: number; reason: string };

/** `Part Number`, `PART-NUMBER` and `part_number` are the same; undefined for an unknown column. */
export function columnOf(name: string): Column | undefined {
  const folded = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return COLUMNS.find((column) => column === folded);
}
