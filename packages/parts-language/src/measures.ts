/** A value with its unit, as a text states it. */
export interface Measured {
  value: number;
  unit: Unit;
  /** As it is written. */
  text: string;
  from: number;
}

export interface Bounds {
  least?: Measured | undefined;
  most?: Measured | undefined;
}

export type Unit = keyof typeof UNITS;

/** Units by what they measure, with the factor to the first of each, and how they are written: `ft-lb` before `ft`. */
const UNITS = {
  "ft-lb": ["torque", 1.355818, /^(?:ft|foot|feet)[.\s·-]*(?:lbs?|pounds?)\b\.?/i],
  "in-lb": ["torque", 0.112985, /^(?:in|inch)[.\s·-]*(?:lbs?|pounds?)\b\.?/i],
  Nm: ["torque", 1, /^n[\s·.-]?m\b|^newton[\s-]?met(?:er|re)s?\b/i],
  m: ["length", 1000, /^(?:m|met(?:er|re|ro)[ns]?)\b/i],
  mm: ["length", 1, /^(?:mm|millimet(?:er|re)s?)\b/i],
  cm: ["length", 10, /^(?:cm|centimet(?:er|re)s?)\b/i],
  in: ["length", 25.4, /^(?:in(?! (?:stock|the|my|our|total|all|an?)\b)|inch|inches)\b\.?|^["”]/i],
  ft: ["length", 304.8, /^(?:ft|foot|feet)\b|^['’]/i],
  ml: ["volume", 0.001, /^(?:ml|millilit(?:er|re)s?|cc)\b/i],
  L: ["volume", 1, /^(?:l|lit(?:er|re)s?)\b/i],
  qt: ["volume", 0.946353, /^(?:qts?|quarts?)\b/i],
  oz: ["volume", 0.0295735, /^(?:fl\.?\s*)?oz\b|^(?:fluid )?ounces?\b/i],
  gal: ["volume", 3.785412, /^(?:gal|gallons?)\b/i],
  pt: ["volume", 0.473176, /^(?:pints?|pt)\b/i],
  bar: ["pressure", 1, /^bars?\b/i],
  psi: ["pressure", 0.0689476, /^psi\b/i],
  kPa: ["pressure", 0.01, /^kpa\b/i],
  A: ["current", 1, /^(?:amps?|amperes?|a)\b/i],
  V: ["voltage", 1, /^(?:volts?|v)\b/i],
  W: ["power", 1, /^(?:watts?|w)\b/i],
  HP: ["engine power", 1, /^(?:hp|horsepower)\b/i],
  lm: ["light", 1, /^(?:lm|lumens?)\b/i],
  lb: ["weight", 0.453592, /^(?:lbs?|pounds?)\b/i],
  kg: ["weight", 1, /^kg\b/i],
  ply: ["layers", 1, /^ply\b/i],
  tooth: ["teeth", 1, /^(?:tooth|teeth)\b/i],
  GPM: ["flow", 1, /^gpm\b/i],
  pack: ["pieces of a pack", 1, /^packs?\b(?! of\b)/i],
  micron: ["fineness", 1, /^microns?\b/i],
  piece: ["pieces", 1, /(?!)/],
} as const;
const SPELLINGS = (Object.keys(UNITS) as Unit[]).map((unit) => [UNITS[unit][2], unit] as const);
/** `3-1/2`, `5/8`, `.042`, `2,5` */
const VALUE = String.raw`\d+[ -]\d{1,2}\/\d{1,2}|\d{1,2}\/\d{1,2}|\d*[.,]?\d+`;
const NUMBER = new RegExp(String.raw`(?<![\p{L}\p{N}./])(${VALUE})\s?-?\s?`, "gu");
/** Of `13-15 ft-lb`, behind the `13`. */
const RANGE_END = new RegExp(String.raw`^ ?(?:[-–]|to) ?(?:${VALUE})\s?-?\s?`, "u");

/** Returns what a number is worth: `3-1/2` is 3.5. */
function parseValue(text: string): number {
  const [fraction = "", integer = "0"] = text.split(/[ -]/).toReversed();
  const [top, bottom = 1] = fraction.replace(",", ".").split("/");
  return Number(integer) + Number(top) / Number(bottom);
}

/** Finds values with their units: `1-1/4 in`, `104 in-lb`, `.042 in`. */
export function findMeasures(text: string): Measured[] {
  const measures: Measured[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const [numberText, number = ""] = match;
    const rest = text.slice(match.index + number.length);
    const isRange = RANGE_END.test(rest);
    const unitText = isRange ? rest.replace(RANGE_END, "") : text.slice(match.index + numberText.length);
    const [pattern, unit] = SPELLINGS.find(([spelling]) => spelling.test(unitText)) ?? [];
    if (!pattern || !unit) continue;
    const value = parseValue(number);
    if (!Number.isFinite(value)) continue;
    const measure = {
      value,
      unit,
      text: isRange ? number : numberText + (pattern.exec(unitText)?.[0] ?? ""),
      from: match.index,
    };
    const feet = unit === "in" ? measures.at(-1) : undefined;
    const between = feet?.unit === "ft" ? text.slice(feet.from + feet.text.length, measure.from) : undefined;
    // `11 ft 2 in` is one length.
    if (feet && between !== undefined && /^,? (?:and )?$/.test(between))
      measures.splice(-1, 1, {
        ...measure,
        value: feet.value * 12 + value,
        text: feet.text + between + measure.text,
        from: feet.from,
      });
    else measures.push(measure);
  }
  return measures;
}

/** `60 inch`, `1/2 x 72`, `23 hp`, and what is a size beside one: `23`. */
export const SIZE = String.raw`(?<![\p{L}\p{N}./-])\d[\d./-]*(?: ?(?:x|by) ?\d[\d./-]*)*(?:[ -]?(?:in(?:ch(?:es)?)?|hp|amps?|[av]|volts?|watts?|ply|tooth|teeth|rpm|mm|cm|m|met(?:er|re)s?|ft|foot|feet)\b|")?`;
const SIZES = new RegExp(SIZE, "giu");

/** Finds what may be a size, also without its unit. */
export const findSizes = (text: string): { text: string; from: number }[] =>
  [...text.matchAll(SIZES)].map(({ 0: size, index }) => ({ text: size, from: index }));

const PAIR = new RegExp(`(?<![\\p{L}\\p{N}./-])(${VALUE}) ?(?:x|by) ?(${VALUE})(?![\\w./-]|\\s?x)`, "giu");

/** Finds two sizes in inches that stand without a unit: `1/2 x 48`. */
export const findPairs = (text: string): (Measured & { unit: "in" })[] =>
  [...text.matchAll(PAIR)].flatMap(({ 0: pair, 1: width = "", 2: length = "", index }) =>
    [width, length].map((size) => ({ value: parseValue(size), unit: "in", text: pair, from: index })),
  );

/** Of a value, as units are converted and sizes rounded. */
const ROUNDED = 0.005;

/** Keeps what has all sizes that are asked for, else most of them; all if none has any. */
export function keepSized<Thing>(
  things: readonly Thing[],
  sizes: readonly Measured[],
  getName: (thing: Thing) => string,
) {
  // What is typed in another unit is rounded to its last digit: 250 psi are `17 bar`.
  const getSlack = ({ value, unit, text }: Measured, otherUnit: Unit): number =>
    unit === otherUnit || text.includes("/")
      ? value * ROUNDED
      : Math.max(value * ROUNDED, 0.5 / 10 ** (/[.,](\d+)/.exec(text)?.[1]?.length ?? 0));
  const isSame = (a: Measured, b: Measured): boolean =>
    Math.abs(compareMeasures(a, b) ?? Infinity) <= getSlack(a, b.unit);
  const counted = things.map((thing) => {
    const measures = findMeasures(getName(thing));
    return { thing, count: sizes.filter((size) => measures.some((measure) => isSame(size, measure))).length };
  });
  const most = Math.max(...counted.map(({ count }) => count));
  return counted.filter(({ count }) => count === most).map(({ thing }) => thing);
}

/** Returns a size with its unit, which may be that of the one that it stands for; undefined if they differ in kind. */
export function completeSize(size: string, former: string): string | undefined {
  const isPair = (text: string): boolean => /x|by/i.test(text);
  const [measure, formerMeasure] = [size, former].map((text) => findMeasures(text)[0]);
  if (isPair(size)) return isPair(former) ? size : undefined;
  if (isPair(former)) {
    const value = parseValue(size.replace(/[^\d./-].*/, ""));
    const [width, length] = findPairs(former);
    if (!width || !length || (measure && getKind(measure.unit) !== "length")) return undefined;
    // Of `1/2 x 48`, `72` stands for what it is nearer to.
    const isLength = value * value > width.value * length.value;
    return former.replace(isLength ? /[\d./-]+(?=\D*$)/ : /^[\d./-]+/, size.replace(/[^\d./-].*/, ""));
  }
  if (measure && formerMeasure) return getKind(measure.unit) === getKind(formerMeasure.unit) ? size : undefined;
  const isBare = (text: string): boolean => /^\d{1,3}(?:\.\d)?$/.test(text);
  if (formerMeasure) return isBare(size) ? `${size} ${formerMeasure.unit.toLowerCase()}` : undefined;
  return isBare(former) && (measure !== undefined || isBare(size)) ? size : undefined;
}

export function getKind(unit: Unit): string {
  return UNITS[unit][0];
}

/** Returns a value in another unit of the same kind; undefined if the units measure different things. */
export function convert({ value, unit }: Pick<Measured, "value" | "unit">, into: Unit): number | undefined {
  const [kind, factor] = UNITS[unit];
  const [otherKind, otherFactor] = UNITS[into];
  return kind === otherKind ? (value * factor) / otherFactor : undefined;
}

/** Compares two values of the same kind; undefined for others. */
export function compareMeasures(a: Measured, b: Measured): number | undefined {
  const converted = convert(b, a.unit);
  return converted === undefined ? undefined : a.value - converted;
}

/** Whether one of a part's measures is at least so much, and one at most so much. */
export function isWithin(measures: readonly Measured[], { least, most }: Bounds): boolean {
  const isBeyond = (bound: Measured, sign: number): boolean =>
    measures.some((measure) => sign * (compareMeasures(measure, bound) ?? -sign) >= 0);
  return (!least || isBeyond(least, 1)) && (!most || isBeyond(most, -1));
}

/** Formats `11.8 Nm`, with three digits that count. */
export function formatMeasure(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${unit}`;
}
