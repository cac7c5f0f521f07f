import type { Attribute, Attributes } from "../../mixins/search-index/attributes.ts";
import type { TireFacts } from "../../mixins/tire-facts.ts";
import { parseTireSize } from "../../mixins/tire-size.ts";

export function tireAttributes(tire: TireFacts): Attributes {
  const { size, rim, width, ply, loadIndex, speed, pattern, tube } = tire;
  return {
    tireSize: size,
    tireRim: String(rim),
    tireWidth: String(width),
    ...(ply === undefined ? {} : { tirePly: String(ply) }),
    ...(loadIndex === undefined ? {} : { tireLoadIndex: String(loadIndex) }),
    ...(speed === undefined ? {} : { tireSpeed: speed }),
    ...(pattern === undefined ? {} : { tirePattern: pattern }),
    ...(tube === undefined ? {} : { tireTube: tube }),
  };
}

const NUMBERS: ReadonlySet<Attribute> = new Set(["tireRim", "tireWidth", "tirePly", "tireLoadIndex"]);

/** The values that a filter may mean: a size in any spelling, `8.50` for 8.5. */
export function meantBy(attribute: Attribute, typed: string): string[] {
  if (NUMBERS.has(attribute) && /^\s*\d+(?:\.\d+)?\s*$/.test(typed)) return [String(Number(typed))];
  const size = attribute === "tireSize" ? parseTireSize(typed)?.size : undefined;
  if (size === undefined) return [typed];
  // Without a letter or dash for it, the construction is open: `460 85 38` is 460/85R38 as well.
  return /[rdb-]\s*[\d.]+\s*[a-z]*$/i.test(typed)
    ? [size]
    : ["-", "R", "D"].map((type) => size.replace(/-(?=[\d.]+$)/, type));
}
