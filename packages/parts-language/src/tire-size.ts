import type { TireSystem } from "./tires.ts";

export interface TireSize {
  /** In one spelling: `18x8.50-8`, `IF380/90R46`. */
  size: string;
  system: TireSystem;
  construction: "radial" | "bias";
  /**
   * What stands in front: IF and VF carry more at less pressure, ST is for trailers, LT for light trucks, P for cars.
   */
  prefix?: string;
  /** Inches. */
  diameter?: number;
  /** Inches, of metric sizes millimetres. */
  width: number;
  /** Height in percent of the width. */
  aspect?: number;
  /** Of a tire of two widths, `4.80/4.00-8`. */
  otherWidth?: number;
  /** Inches. */
  rim: number;
  /** Behind the width: a low section. */
  section?: "L" | "LL";
  /** What stands behind. */
  suffix?: string;
}

const DECIMAL = String.raw`\d{1,2}(?:\.\d{1,2})?`;
const DIAMETER = String.raw`(?<first>${DECIMAL})`;
const WIDTH = String.raw`(?<second>\d{3,4}|${DECIMAL})`;
const ONLY_WIDTH = String.raw`(?<first>\d{3,4}|${DECIMAL})`;
const OTHER_WIDTH = String.raw`(?<second>${DECIMAL})`;
const MILLIMETRE_WIDTH = String.raw`(?<first>\d{3,4})`;
const ASPECT = String.raw`(?<second>\d{2,3})`;
const SECTION = String.raw`(?<section>LL|L)?`;
const TYPE = String.raw`(?<type>ZR|R|D|B|-|X)`;
const RIM = String.raw`(?<rim>\d{1,2}(?:\.\d{1,2})?)`;
const PREFIX = String.raw`(?:(?<prefix>IF|VF|LSW|ST|LT|AT|P|T)\s*)?`;
const SUFFIX = String.raw`(?:\s*(?<suffix>LT|ST|NHS|SL|TR|FI|IMP|XL|C)(?![A-Z\d]))?`;
const START = String.raw`(?<![A-Z\d./-])`;
const END = String.raw`(?![A-Z\d])(?!\.\d)(?!\s*(?:"|IN\b|MM\b|CM\b|HP\b))`;

/** The order matters, as a shorter form is in longer ones. */
const FORMS: readonly Form[] = [
  // 460/85R38, ST205/75D15
  { read: readMetric, first: MILLIMETRE_WIDTH, marks: "/", second: ASPECT, type: `${TYPE}?` },
  // 18x8.50-8, 26x12LL-12, 31x10.50R15
  { read: readByDiameter, first: DIAMETER, marks: "X/", second: String.raw`${WIDTH}\s*${SECTION}`, type: TYPE },
  // 12.5/80-18, 4.80/4.00-8
  { read: readByTwo, first: `${DIAMETER}${SECTION}`, marks: "/", second: OTHER_WIDTH, type: TYPE },
  // 11.2-24, 18.4R38, 7.50-16, 250-15
  { read: readByWidth, first: String.raw`${ONLY_WIDTH}\s*${SECTION}`, type: TYPE },
];

/** Between width and rim: at least one mark. */
const GAP = String.raw`(?=[\sA-Z/-])[\s/-]*(?<type>ZR|R|D|B|X)?[\s/-]*`;

/** A text of a form, by the names of its groups. */
type Parts = Partial<Record<"prefix" | "first" | "second" | "section" | "type" | "rim" | "suffix", string>>;
type Letter = "R" | "D" | "-";

/** What a form says in front of the letter and the rim; undefined if it is no size. */
type SizeReader = (
  parts: Parts,
  letter: Letter,
  rim: number,
) => Omit<TireSize, "construction" | "rim" | "prefix" | "suffix"> | undefined;
interface Form {
  read: SizeReader;
  first: string;
  /** Between first and second. */
  marks?: string;
  second?: string;
  type: string;
}

const compile = (write: (form: Form) => string, begin: string, end: string) =>
  FORMS.map((form) => ({
    read: form.read,
    pattern: new RegExp(String.raw`${begin}${PREFIX}${write(form)}\s*${RIM}${SUFFIX}${end}`, "gd"),
  }));
const strict = ({ first, marks, second, type }: Form): string =>
  String.raw`${first}${second ? String.raw`\s*[${marks}]\s*${second}` : ""}\s*${type}`;
/** With blanks alone, or other marks; only of a text that is nothing else. */
const loose = ({ first, marks, second }: Form): string =>
  `${first}${second ? String.raw`[\s${marks}-]+${second}` : ""}${GAP}`;

const WITHIN = compile(strict, START, END);
const WHOLE = [...compile(strict, "^", "$"), ...compile(loose, "^", "$")];

/** Longest text in which a size is looked for. */
const LONGEST = 500;

/** Reads a text that is a size and nothing else, in any spelling: `18 850 8`, `18x8.5x8`, `460-85 R 38`. */
export function parseTireSize(text: string): TireSize | undefined {
  return findFirst(WHOLE, toPlain(text).trim())?.size;
}

/** Finds the first size in a text, with where it begins and ends. */
export function findTireSize(text: string): { size: TireSize; start: number; end: number } | undefined {
  return findFirst(WITHIN, toPlain(text));
}

function findFirst(forms: typeof WITHIN, text: string): { size: TireSize; start: number; end: number } | undefined {
  for (const { read: readSize, pattern } of forms) {
    for (const match of text.matchAll(pattern)) {
      const size = toSize(readSize, match.groups!);
      if (size) return { size, start: match.index, end: match.index + match[0].length };
    }
  }
  return undefined;
}

function toSize(readSize: SizeReader, parts: Parts): TireSize | undefined {
  const { prefix, suffix } = parts;
  const rim = Number(parts.rim);
  if (rim < 3 || rim > 63) return undefined;
  const letter = toLetter(parts.type);
  const sizes = readSize(parts, letter, rim);
  return (
    sizes && {
      ...sizes,
      size: `${prefix ?? ""}${sizes.size}${letter}${rim}${suffix ?? ""}`,
      construction: letter === "R" ? "radial" : "bias",
      rim,
      prefix,
      suffix,
    }
  );
}

/** Of the same length, for places in the text to be the same. */
function toPlain(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/[×✕*]/g, "x")
    .replace(/[‐‑‒–—]/g, "-")
    .toUpperCase();
}

function readMetric({ first, second }: Parts): ReturnType<SizeReader> {
  const [width, aspect] = [Number(first), Number(second)];
  if (width < 100 || width > 1_500 || aspect < 20 || aspect > 105) return undefined;
  return { size: `${width}/${aspect}`, system: "metric", width, aspect };
}

function readByDiameter(
  { first, second, section, prefix, suffix }: Parts,
  letter: Letter,
  rim: number,
): ReturnType<SizeReader> {
  const diameter = Number(first);
  const width = parseInches(second!);
  // The tire is around the rim, and higher than wide.
  if (diameter <= rim + 2 || width > diameter || width < 1) return undefined;
  const isWide = section === "LL" || prefix === "LT" || suffix === "LT" || letter === "R" || diameter >= 30;
  return {
    size: `${diameter}x${width.toFixed(2)}${section ?? ""}`,
    system: isWide ? "flotation" : "inch",
    diameter,
    width,
    ...toSection(section),
  };
}

function readByTwo({ first, second, section }: Parts, letter: Letter): ReturnType<SizeReader> {
  const [width, height] = [Number(first), Number(second)];
  const isAspect = /^\d\d$/.test(second!) && height >= 30 && height <= 100;
  if (!isAspect && !(second!.includes(".") && width <= 12 && height <= 12)) return undefined;
  const printed = width.toFixed(isAspect && Number.isInteger(width * 10) ? 1 : 2);
  return {
    size: `${printed}${section ?? ""}/${isAspect ? second! : height.toFixed(2)}`,
    system: letter === "R" ? "inch" : "bias",
    width,
    ...(isAspect ? { aspect: height } : { otherWidth: height }),
    ...toSection(section),
  };
}

function readByWidth({ first, section }: Parts, letter: Letter, rim: number): ReturnType<SizeReader> {
  if (MILLIMETRES.has(first!) ? rim === 15 : letter === "R" && /^(?:1[2-9]|2[0-5])5$/.test(first!))
    return { size: first!, system: "metric", width: Number(first) };
  const width = parseInches(first!);
  if (width < 1.5 || width > 45 || width > rim * 1.5) return undefined;
  return {
    size: `${formatWidth(width, rim, section)}${section ?? ""}`,
    system: letter === "R" ? "inch" : "bias",
    width,
    ...toSection(section),
  };
}

/** Widths of forklift tires without a height. */
const MILLIMETRES = new Set(["250", "300", "315", "355"]);

/** `850` and `1050` are 8.50 and 10.50. */
function parseInches(text: string): number {
  return /^\d{3,4}$/.test(text) ? Number(text) / 100 : Number(text);
}

/** As catalogues print it: `4.80-8`, `7.50-16`, `8.3-24`, `11.2-24`, `10.00-20`, `10-16.5`, `11L-15`. */
function formatWidth(width: number, rim: number, section: string | undefined): string {
  if (Number.isInteger(width)) return section !== undefined || rim % 1 === 0.5 ? String(width) : width.toFixed(2);
  const isSmall = width < 9 && section === undefined && (rim < 20 || width % 0.5 === 0);
  return isSmall ? width.toFixed(2) : String(width);
}

/** X and a blank between width and rim say nothing of the construction. */
function toLetter(type = "-"): Letter {
  if (type === "R" || type === "ZR") return "R";
  return type === "D" || type === "B" ? "D" : "-";
}

function toSection(section: string | undefined): Pick<TireSize, "section"> {
  return section === "L" || section === "LL" ? { section } : {};
}
