/**
 * How a server of chat completions is asked. Servers that call themselves compatible differ in what they refuse:
 * llama.cpp's Python server knows no `json_schema`, others no tools, no stream or no system role.
 */
export interface Dialect {
  /** How the answer is asked for as JSON: by a schema, as a tool's input, as any JSON, or in words alone. */
  format: "json_schema" | "tool" | "json_object" | "text";
  /** Whether the model may look things up by tools. */
  hasTools: boolean;
  isStreamed: boolean;
  hasSystemRole: boolean;
}

export const RICHEST: Dialect = { format: "json_schema", hasTools: true, isStreamed: true, hasSystemRole: true };

const PLAINEST_FIRST: readonly Dialect[] = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
].map(([isStreamed = true, hasSystemRole = true]) => ({
  format: "text",
  hasTools: false,
  isStreamed,
  hasSystemRole,
}));
const FORMATS = ["json_schema", "tool", "json_object"] as const;

/**
 * Finds the richest dialect that a server takes: in one request where it takes all, else in nine at most.
 * @param isTaken asks a word in a dialect; false if the server refuses the request. What it throws is thrown.
 * @returns undefined if the server refuses the plainest request, too
 */
export async function negotiateDialect(isTaken: (dialect: Dialect) => Promise<boolean>): Promise<Dialect | undefined> {
  const findTaken = async (dialects: readonly Dialect[]): Promise<Dialect | undefined> => {
    for (const dialect of dialects) if (await isTaken(dialect)) return dialect;
    return undefined;
  };
  if (await isTaken(RICHEST)) return RICHEST;
  const plain = await findTaken(PLAINEST_FIRST);
  if (!plain) return undefined;
  const formatted = (await findTaken(FORMATS.map((format) => ({ ...plain, format })))) ?? plain;
  return (await findTaken([{ ...formatted, hasTools: true }])) ?? formatted;
}
