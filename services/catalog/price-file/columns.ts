/** The columns of a file of rows. */
export interface Columns<C extends string> {
  names: readonly C[];
  required: readonly C[];
  /** Yes or no; in NDJSON also true or false. */
  flags?: readonly C[];
  /** In NDJSON also any number: of other columns only a whole one may be, as `10.0020` would be `10.002`. */
  amounts?: readonly C[];
  /** In NDJSON also a list of objects, as its JSON. */
  lists?: readonly C[];
}

export type FileRow<C extends string> =
  { line: number; fields: Partial<Record<C, string>> } | { line: number; reason: string };

/** `Part Number`, `PART-NUMBER` and `part_number` are the same; undefined for an unknown column. */
export function columnOf<C extends string>({ names }: Columns<C>, name: string): C | undefined {
  const folded = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return names.find((column) => column === folded);
}
