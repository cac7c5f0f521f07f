import { hasControlCharacter } from "@partline/parts-language";
import { LONGEST_MACHINE } from "@partline/parts-search";
import { parseJson } from "@partline/toolkit";

export const MAX_LENGTH = { partNumber: 100, title: 500, brand: 200, category: 100, url: 2_000 } as const;

/** Returns the address in ASCII, as carts require; undefined if it is not http(s) or is too long. */
export function readHttpUrl(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { href } = new URL(text);
  return href.length > MAX_LENGTH.url ? undefined : href;
}

/** Machines that a source's data may list for a part. */
export const MOST_LISTED_FITS = 200;

/** Reads machines divided by semicolons, or a JSON list of them; undefined unless the text is one of these. */
export function readListedFits(text: string): string[] | undefined {
  return checkFits(text.startsWith("[") ? parseJson(text) : text.split(";"));
}

/** Returns the machines of a list, each once; undefined unless all are usable. */
export function checkFits(listed: unknown): string[] | undefined {
  if (!Array.isArray(listed)) return undefined;
  const names = listed.map((name: unknown) =>
    typeof name === "string" ? name.trim().replace(/\s+/g, " ") : undefined,
  );
  const isUsable = (name: string | undefined): name is string =>
    name !== undefined && name.length <= LONGEST_MACHINE && !hasControlCharacter(name);
  if (!names.every(isUsable)) return undefined;
  const fits = [...new Set(names.filter((name) => name !== ""))];
  return fits.length > MOST_LISTED_FITS ? undefined : fits;
}

const GRAMS = { kg: 1_000, g: 1, lb: 453.59237, lbs: 453.59237, oz: 28.349523125 } as const;
const MAX_GRAMS = 10_000_000;

/** Returns a weight in grams; undefined unless the text is one, with its unit. */
export function readWeight(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,6}(?:\.\d{1,6})?) ?(kg|g|lbs?|oz)$/.exec(text.toLowerCase()) ?? [];
  // Down, so that ten pieces of a pound are not above ten pounds.
  const grams = Math.floor(Number(amount) * GRAMS[unit as keyof typeof GRAMS] + 1e-6);
  return grams >= 1 && grams <= MAX_GRAMS ? grams : undefined;
}
