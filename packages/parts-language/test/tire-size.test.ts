import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { findTireSize, parseTireSize, type TireSize } from "../src/tire-size.ts";
import type { TireSystem } from "../src/tires.ts";

type Family = "inch" | "flotation" | "metric" | "prefixed" | "bias" | "aspect" | "dual" | "radial";

const SYSTEM: Record<Family, TireSystem> = {
  inch: "inch",
  flotation: "flotation",
  metric: "metric",
  prefixed: "metric",
  bias: "bias",
  aspect: "bias",
  dual: "bias",
  radial: "inch",
};

interface Row {
  family: Family;
  printed: string;
}

/** The sizes of the table, each as its catalogue prints it. */
const ROWS: Row[] = [];
let family: Family = "inch";
for (const line of readFileSync(new URL("../../../test/support/tire-sizes.txt", import.meta.url), "utf8").split("\n")) {
  if (line.startsWith("#")) continue;
  if (line.endsWith(":")) family = line.slice(0, -1) as Family;
  else for (const printed of line.trim().split(/\s+/)) if (printed !== "") ROWS.push({ family, printed });
}

/** The numbers of a size, in its order; in each family they are the same. */
const numbersOf = (printed: string): number[] => printed.match(/\d+(?:\.\d+)?/g)!.map(Number);

function expected({ family: of, printed }: Row): Partial<TireSize> {
  const numbers = numbersOf(printed);
  const [first, second] = numbers as [number, number];
  const common = {
    system: SYSTEM[of],
    construction: /\dL?R\d/.test(printed) ? ("radial" as const) : ("bias" as const),
    rim: numbers.at(-1)!,
  };
  if (of === "inch" || of === "flotation") return { ...common, diameter: first, width: second };
  if (of === "aspect") return { ...common, width: first, aspect: second };
  if (of === "dual") return { ...common, width: first, otherWidth: second };
  return { ...common, width: first, ...(numbers.length === 3 ? { aspect: second } : {}) };
}

/**
 * How a size is typed as well: in lower case, with blanks, with x, without zeros, without points, with blanks alone.
 */
function spellings({ family: of, printed }: Row): string[] {
  const numbers = numbersOf(printed);
  const common = [printed.toLowerCase(), printed.replace(/([x/-])/g, " $1 "), printed.replace(/(\d)R(\d)/, "$1 R $2")];
  if (/[A-Z]/.test(printed.replace(/\dL?R\d/, ""))) return common;
  if (of === "inch" || of === "flotation") {
    const [diameter, width, rim] = numbers as [number, number, number];
    const hundredths = String(Math.round(width * 100));
    return [
      ...common,
      `${diameter}x${width}x${rim}`,
      `${diameter}X${width}-${rim}`,
      ...(/\.\d\d/.test(printed) ? [`${diameter}x${hundredths}-${rim}`, `${diameter} ${hundredths} ${rim}`] : []),
    ];
  }
  return [...common, numbers.join(" ")];
}

const readsAs = (size: TireSize | undefined, row: Row): boolean => {
  const wanted = expected(row);
  return (
    size !== undefined && Object.entries(wanted).every(([field, value]) => size[field as keyof TireSize] === value)
  );
};
const share = (all: readonly unknown[], wrong: readonly unknown[]): number => 1 - wrong.length / all.length;

describe("a tire's size", () => {
  it("is read as the catalogues print it: more than 900 of them, at least 98 of 100 right", () => {
    expect(ROWS.length).toBeGreaterThan(900);
    const wrong = ROWS.filter((row) => !readsAs(parseTireSize(row.printed), row)).map(({ printed }) => printed);
    expect({ wrong, isEnough: share(ROWS, wrong) >= 0.98 }).toEqual({ wrong: expect.any(Array), isEnough: true });
    const respelt = ROWS.filter(({ printed }) => parseTireSize(printed)?.size !== printed).map(
      ({ printed }) => printed,
    );
    expect({ respelt, isEnough: share(ROWS, respelt) >= 0.98 }).toEqual({ respelt: expect.any(Array), isEnough: true });
  });

  it("is read in any spelling, at least 98 of 100 right", () => {
    const typed = ROWS.flatMap((row) => spellings(row).map((text) => ({ row, text })));
    // What blanks alone leave out, they cannot say.
    const meant = ({ row, text }: { row: Row; text: string }): boolean => {
      const { rim, width, aspect, diameter } = expected(row);
      const size = parseTireSize(text);
      return size?.rim === rim && size?.width === width && size?.aspect === aspect && size?.diameter === diameter;
    };
    const wrong = typed.filter((each) => !meant(each)).map(({ row, text }) => `${row.printed}: ${text}`);
    expect({ wrong: wrong.slice(0, 40), isEnough: share(typed, wrong) >= 0.98 }).toEqual({
      wrong: expect.any(Array),
      isEnough: true,
    });
  });

  it("is found in a title, at least 98 of 100 right", () => {
    const wrong = ROWS.filter(({ printed }) => {
      const titles = [`Turf Tire ${printed} Turf Saver, 4 ply`, `Trac Loader, 8 PR, ${printed.toLowerCase()} TL`];
      return titles.some((title) => findTireSize(title)?.size.size !== parseTireSize(printed)?.size);
    }).map(({ printed }) => printed);
    expect({ wrong, isEnough: share(ROWS, wrong) >= 0.98 }).toEqual({ wrong: expect.any(Array), isEnough: true });
  });

  it.each([
    ["18 850 8", "18x8.50-8"],
    ["18x8.5x8", "18x8.50-8"],
    ["26x12LL-12", "26x12.00LL-12"],
    ["460-85 r 38", "460/85R38"],
    ["460 85 38", "460/85-38"],
    ["IF 380/90 R46", "IF380/90R46"],
    ["vf600/70r30", "VF600/70R30"],
    ["st 205/75 d15", "ST205/75D15"],
    ["11.2x24", "11.2-24"],
    ["7.5-16", "7.50-16"],
    ["480-8", "4.80-8"],
    ["6-12", "6.00-12"],
    ["31x10.50R15LT", "31x10.50R15LT"],
  ])("%j is %s", (typed, size) => {
    expect(parseTireSize(typed)?.size).toBe(size);
  });

  it.each(["", "turf", "18", "8.50", "100 200 300", "GX160", "5/8x134", "1/2-13", "48 in", "12-34-567", "15964-8141"])(
    "%j is none",
    (text) => {
      expect(parseTireSize(text)).toBeUndefined();
    },
  );

  it("is looked for in any text without end or error", () => {
    expect(findTireSize("x".repeat(10_000))).toBeUndefined();
    expect(findTireSize("1x".repeat(5_000))).toBeUndefined();
  });
});
