import { describe, expect, it } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { de } from "../../packages/web/src/console/texts/de.ts";
import { en } from "../../packages/web/src/console/texts/en.ts";
import { es } from "../../packages/web/src/console/texts/es.ts";
import { refusalText } from "../../packages/web/src/console/shared/refusal-text.ts";
import { formatRemark } from "../../packages/web/src/console/shared/remark-text.ts";
import type { RemarkCode } from "../../services/catalog/remarks.ts";
import { SCOPE_NAMES } from "../../broker/contract/scopes.ts";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { contracts } from "../../services/all-contracts.ts";

const CONSOLE = join(import.meta.dirname, "..", "..", "packages", "web", "src", "console");
// Its types are of the browser.
const messages = createRequire(import.meta.url)("ra-language-english") as { ra: Record<string, object> };
/** The console has no guessers, and nobody configures its pages. */
const { guesser: _guesser, configurable: _configurable, ...reactAdmin } = messages.ra;

/** Each text by its path; of a function, what it writes of its own names. */
function textsOf(of: object, path = ""): [string, string][] {
  return Object.entries(of).flatMap(([name, value]) => {
    const here = path ? `${path}.${name}` : name;
    if (typeof value === "string") return [[here, value] as [string, string]];
    if (typeof value !== "function") return textsOf(value as object, here);
    const write = value as (...values: unknown[]) => string;
    // Some take a number to write it.
    const text = [
      ["%{a}", "%{b}", "%{c}"],
      [1_234, 2_345, 3_456],
    ].flatMap((values) => {
      try {
        return [write(...values)];
      } catch {
        return [];
      }
    })[0];
    return [[here, text!] as [string, string]];
  });
}

const english = new Map(textsOf({ ...en, ra: reactAdmin }));
const gapsOf = (text: string): string[] => [...new Set(text.match(/%\{\w+\}/g))].sort();

describe("texts of the console", () => {
  it.each([
    ["German", de],
    ["Spanish", es],
  ])("are complete in %s, with the gaps of the English ones", (_, language) => {
    const translated = new Map(textsOf(language));
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of english) {
      // Not every language needs the name of what it speaks of.
      const gaps = path.startsWith("ra.") ? gapsOf(text).filter((gap) => gap !== "%{name}") : gapsOf(text);
      expect([path, gapsOf(translated.get(path)!)]).toEqual([path, expect.arrayContaining(gaps)]);
      expect([path, translated.get(path)!.trim() === "" && text.trim() !== ""]).toEqual([path, false]);
    }
  });

  it("name every scope", () => {
    for (const { scopes } of [en, de, es]) expect(Object.keys(scopes).sort()).toEqual([...SCOPE_NAMES].sort());
  });

  it("are taken by pages in the page's language", () => {
    const files = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
    const english = /import \{[^}]*\ben\b[^}]*\} from "[./]*texts\/en\.ts"/;
    const speaking = files.filter((file) => english.test(readFileSync(join(CONSOLE, file), "utf8")));
    expect(speaking).toEqual(["texts.ts"]);
  });
});

describe("a line of a report", () => {
  /** Every code of the API has a text: the types say so. */
  const english: Record<RemarkCode, string> = en.remarks;

  it("is said in each language with the same values", () => {
    const valuesOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const { remarks } of [de, es] as { remarks: Record<string, string> }[])
      for (const [code, text] of Object.entries(english))
        expect([code, valuesOf(remarks[code]!)]).toEqual([code, valuesOf(text)]);
  });

  it.each([
    [
      { reason: "x", code: "row_short", values: { column: "title", count: 1_200, columns: 3 } },
      /“Title”: it has 1,200 of/,
    ],
    [
      {
        reason: "x",
        code: "end_not_found",
        values: { cause: "supplier_failed", provider: "tire supplier", status: 503 },
      },
      /to its end: The supplier \(tire supplier\) has a fault \(503\)$/,
    ],
    [{ reason: "The column 'core' is new", code: "not_yet_known", values: {} }, /^The column 'core' is new$/],
    [{ reason: "Its time was over" }, /^Its time was over$/],
  ])("%j is %s", (line, text) => {
    expect(formatRemark(line)).toMatch(text);
  });
});

describe("a refusal", () => {
  it.each([
    ["VERSION_CONFLICT", "The order changed since version 1: read version 2 first", en.refusals.VERSION_CONFLICT],
    [
      "VALIDATION_FAILED" as const,
      "The 'carrier' field length must be less than or equal to 100.",
      en.refusals.carrier,
    ],
    ["VALIDATION_FAILED", "The 'lines[237]' field has an empty word.", "Line 238: has an empty word."],
    [
      "VALIDATION_FAILED" as const,
      "The 'name' field is a name of KAW (Kawasaki).",
      "The 'name' field is a name of KAW (Kawasaki).",
    ],
  ])("with %s, %j, is said so: %s", (code, message, text) => {
    expect(refusalText(code, message)).toBe(text);
  });
});

it("names what the audit records, and the tasks", () => {
  const services = contracts as readonly ServiceContract[];
  // A caller is known, and a use of the admin token recorded, on routes that ask for credentials.
  const isAudited = ({ audit, http = [] }: ServiceContract["actions"][string]): boolean =>
    audit !== undefined || http.some(({ access }) => access !== "none");
  const audited = services.flatMap(({ name, actions }) =>
    Object.entries(actions).flatMap(([action, definition]) => (isAudited(definition) ? [`${name}.${action}`] : [])),
  );
  expect(Object.keys(en.audit.actions).sort()).toEqual(audited.sort());
  const tasks = services.flatMap((service) => Object.keys(service.tasks ?? {}));
  expect(Object.keys(en.tasks.kinds).sort()).toEqual(tasks.sort());
});
