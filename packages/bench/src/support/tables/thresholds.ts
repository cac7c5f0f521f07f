import { readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import type { findTables } from "../../../../manual-reader/src/tables/find-tables.ts";

const FOLDER = new URL("../../../../manual-reader/src/tables/", import.meta.url);
const THRESHOLD = /^const ([A-Z_]+) = (\d[\d.]*);$/gm;

/** A number that somebody chose: `borderless.ts FARTHEST`. */
export interface Threshold {
  file: string;
  name: string;
  value: number;
}

export function thresholds(): Threshold[] {
  return readdirSync(FOLDER).flatMap((file) =>
    [...readFileSync(new URL(file, FOLDER), "utf8").matchAll(THRESHOLD)].map(([, name, value]) => ({
      file,
      name: name!,
      value: Number(value),
    })),
  );
}

/** A rule that can be left out, and what its function returns then. */
export interface TableRule {
  name: string;
  without: string;
}

export const TABLE_RULES: readonly TableRule[] = [
  { name: "besideEachOther", without: "[grid]" },
  { name: "splitRows", without: "grid" },
  { name: "splitColumns", without: "grid" },
  { name: "partedAtRules", without: "[piece]" },
  { name: "isContinuation", without: "false" },
  { name: "isHeading", without: "false" },
  { name: "partedColumn", without: "[column]" },
  { name: "partedAtColumns", without: "[piece]" },
  { name: "spansSeveral", without: "false" },
  { name: "withoutSingleEnds", without: "[...region]" },
  { name: "isAxis", without: "false" },
  { name: "prosePieces", without: "new Set()" },
  { name: "keepsWithin", without: "false" },
];

let changedRule: Threshold | TableRule | undefined;
let round = 0;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url.startsWith(FOLDER.href) ? { ...resolved, url: `${resolved.url}?round=${round}` } : resolved;
  },
  load(url, context, next) {
    const [plain] = url.split("?");
    if (!plain!.startsWith(FOLDER.href)) return next(url, context);
    const text = readFileSync(new URL(plain!), "utf8");
    const source =
      changedRule && "without" in changedRule
        ? text.replace(
            new RegExp(`function ${changedRule.name}\\([\\s\\S]*?\\): [^{]*\\{\\n`),
            (head) => `${head}if (1 + 1 === 2) return ${(changedRule as TableRule).without};\n`,
          )
        : text.replace(THRESHOLD, (match, name: string) =>
            changedRule && plain!.endsWith(`/${(changedRule as Threshold).file}`) && name === changedRule.name
              ? `const ${name} = ${(changedRule as Threshold).value};`
              : match,
          );
    return { format: "module-typescript", source, shortCircuit: true };
  },
});

/** The extractor with one of its numbers changed, or without one of its rules. */
export async function tablesBy(change?: Threshold | TableRule): Promise<typeof findTables> {
  changedRule = change;
  round += 1;
  return ((await import(new URL("find-tables.ts", FOLDER).href)) as { findTables: typeof findTables }).findTables;
}
