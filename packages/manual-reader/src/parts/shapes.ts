/** How part numbers are spelled: shapes that a document's lists have beside the families that are known. */

/** Distinct numbers of a shape in lists before it is the document's own. */
const FEWEST = 3;
/** Digits of a number of digits alone; fewer may count, measure or date anything. */
const FEWEST_DIGITS = 5;

/** Lengths of the groups, `3-5-2` of `68V-14180-02`; of a single one its letters and digits, `2A4` of `DR2110`. */
export function findShape(number: string): string {
  const text = number.toUpperCase().trim();
  if (/[-./ ]/.test(text)) return text.replace(/[0-9A-Z]+/g, ({ length }) => String(length));
  return text.replace(/[A-Z]+|\d+/g, (run) => `${run.length}${/\d/.test(run) ? "9" : "A"}`);
}

/** Whether a text is long enough for its shape to set it apart. */
export function isTelling(number: string): boolean {
  const digits = number.replace(/\D/g, "").length;
  if (/^\d+$/.test(number)) return digits >= FEWEST_DIGITS;
  return digits >= 3 && number.replace(/[^0-9A-Za-z]/g, "").length >= FEWEST_DIGITS;
}

/** Digits of a number in groups that stands in a text: `24 DB3` is a pin and its signal. */
const FEWEST_DIGITS_IN_GROUPS = 7;

/** Whether a text may be one number in groups, `77 01 423 933`, or has none. */
export function mayBeGrouped(number: string): boolean {
  return !number.includes(" ") || number.replace(/\D/g, "").length >= FEWEST_DIGITS_IN_GROUPS;
}

/** The shapes of listed numbers. */
export function learnShapes(numbers: Iterable<string>): ReadonlySet<string> {
  const numbersByShape = Map.groupBy(new Set([...numbers].filter(isTelling)), findShape);
  return new Set([...numbersByShape].filter(([, same]) => same.length >= FEWEST).map(([shape]) => shape));
}

/** Letters that OCR reads in place of digits. */
const DIGIT_OF: Readonly<Record<string, string>> = {
  O: "0",
  Q: "0",
  D: "0",
  I: "1",
  L: "1",
  S: "5",
  B: "8",
  Z: "2",
  G: "6",
};

/** Reads letters that look like digits as digits if only then the number is spelled as those of the lists are. */
export function mendNumber(number: string, shapes: ReadonlySet<string>): string {
  if (shapes.has(findShape(number))) return number;
  const digits = number.toUpperCase().replace(/[A-Z]/g, (letter) => DIGIT_OF[letter] ?? letter);
  return shapes.has(findShape(digits)) ? digits : number;
}
