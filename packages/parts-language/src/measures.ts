/** A value with its unit, as a text states it. */
export interface Measured {
  value: number;
  unit: Unit;
  /** As it is written. */
  text: string;
  from: number;
}

export type Unit = keyof typeof UNITS;

/** Units by what they measure, with the factor to the first of each. */
const UNITS = {
  Nm: ["torque", 1],
  "ft-lb": ["torque", 1.355818],
  "in-lb": ["torque", 0.112985],
  mm: ["length", 1],
  cm: ["length", 10],
  m: ["length", 1000],
  in: ["length", 25.4],
  ft: ["length", 304.8],
  L: ["volume", 1],
  ml: ["volume", 0.001],
  qt: ["volume", 0.946353],
  oz: ["volume", 0.0295735],
  gal: ["volume", 3.785412],
  pt: ["volume", 0.473176],
  bar: ["pressure", 1],
  psi: ["pressure", 0.0689476],
  kPa: ["pressure", 0.01],
  A: ["current", 1],
  V: ["voltage", 1],
  W: ["power", 1],
  HP: ["engine power", 1],
  lm: ["light", 1],
  lb: ["weight", 0.453592],
  kg: ["weight", 1],
  ply: ["layers", 1],
  tooth: ["teeth", 1],
  piece: ["pieces", 1],
  GPM: ["flow", 1],
  micron: ["fineness", 1],
} as const;

/** How units are written, the longest first. */
const SPELLINGS: readonly [RegExp, Unit][] = [
  [/^(?:ft|foot|feet)[.\s·-]*(?:lbs?|pounds?)\b\.?/i, "ft-lb"],
  [/^(?:in|inch)[.\s·-]*(?:lbs?|pounds?)\b\.?/i, "in-lb"],
  [/^n[\s·.-]?m\b|^newton[\s-]?met(?:er|re)s?\b/i, "Nm"],
  [/^(?:mm|millimet(?:er|re)s?)\b/i, "mm"],
  [/^(?:cm|centimet(?:er|re)s?)\b/i, "cm"],
  [/^(?:in|inch|inches)\b\.?|^["”]/i, "in"],
  [/^(?:ft|foot|feet)\b|^['’]/i, "ft"],
  [/^(?:ml|millilit(?:er|re)s?|cc)\b/i, "ml"],
  [/^(?:l|lit(?:er|re)s?)\b/i, "L"],
  [/^(?:qts?|quarts?)\b/i, "qt"],
  [/^(?:fl\.?\s*)?oz\b|^(?:fluid )?ounces?\b/i, "oz"],
  [/^(?:gal|gallons?)\b/i, "gal"],
  [/^(?:pints?|pt)\b/i, "pt"],
  [/^bars?\b/i, "bar"],
  [/^psi\b/i, "psi"],
  [/^kpa\b/i, "kPa"],
  [/^(?:amps?|amperes?|a)\b/i, "A"],
  [/^(?:volts?|v)\b/i, "V"],
  [/^(?:watts?|w)\b/i, "W"],
  [/^(?:hp|horsepower)\b/i, "HP"],
  [/^(?:lm|lumens?)\b/i, "lm"],
  [/^(?:lbs?|pounds?)\b/i, "lb"],
  [/^kg\b/i, "kg"],
  [/^ply\b/i, "ply"],
  [/^(?:tooth|teeth)\b/i, "tooth"],
  [/^gpm\b/i, "GPM"],
  [/^microns?\b/i, "micron"],
];
const NUMBER = /(?<![\p{L}\p{N}./])(?:(\d+)[ -](\d{1,2})\/(\d{1,2})|(\d{1,2})\/(\d{1,2})|(\d*[.,]?\d+))\s?-?\s?/gu;

/** Finds values with their units: `1-1/4 in`, `104 in-lb`, `.042 in`. */
export function findMeasures(text: string): Measured[] {
  const measures: Measured[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const [numberText, integer, top, bottom, fractionTop, fractionBottom, decimal] = match;
    const unitText = text.slice(match.index + numberText.length);
    const [pattern, unit] = SPELLINGS.find(([spelling]) => spelling.test(unitText)) ?? [];
    if (!pattern || !unit) continue;
    const value =
      decimal !== undefined
        ? Number(decimal.replace(",", "."))
        : integer !== undefined
          ? Number(integer) + Number(top) / Number(bottom)
          : Number(fractionTop) / Number(fractionBottom);
    if (!Number.isFinite(value)) continue;
    measures.push({ value, unit, text: numberText + (pattern.exec(unitText)?.[0] ?? ""), from: match.index });
  }
  return measures;
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
export function compareMeasures(
  a: Pick<Measured, "value" | "unit">,
  b: Pick<Measured, "value" | "unit">,
): number | undefined {
  const converted = convert(b, a.unit);
  return converted === undefined ? undefined : a.value - converted;
}

/** Formats `11.8 Nm`, with three digits that count. */
export function formatMeasure(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${unit}`;
}
