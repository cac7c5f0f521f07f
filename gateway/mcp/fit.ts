import { asSeen } from "@partline/parts-language";

/** Most bytes of a tool's answer. */
export const MOST_BYTES = 4_096;

/** Another number is another part. */
const NEVER_CUT = ["partNumber", "productId", "figureId"];

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns an answer as JSON of at most 4 kB, without invisible characters. The ends of the longest lists are left out
 * (`leftOut` counts them); then the longest texts are cut.
 */
export function fitAnswer(answer: Fields, most = MOST_BYTES): string {
  const cleanText = (_name: string, value: unknown): unknown => (typeof value === "string" ? asSeen(value) : value);
  let current = JSON.parse(JSON.stringify(answer, cleanText)) as Record<string, unknown>;
  let leftOut = 0;
  const serialize = (): string => JSON.stringify(leftOut === 0 ? current : { ...current, leftOut });
  let text = serialize();
  while (Buffer.byteLength(text) > most) {
    const list = findLongestList(current);
    if (list === undefined) break;
    const fits = Math.floor((list.length * most) / Buffer.byteLength(text));
    const count = Math.max(1, Math.min(list.length - 1, fits));
    leftOut += list.length - count;
    list.length = count;
    text = serialize();
  }
  for (let length = most / 2; Buffer.byteLength(text) > most && length >= 1; length /= 2) {
    current = shortenTexts(current, Math.floor(length)) as Record<string, unknown>;
    text = serialize();
  }
  return text;
}

/** The longest list of more than one: one that holds others is longer than they are. */
function findLongestList(value: unknown): unknown[] | undefined {
  const sizes = findLists(value).map((list) => ({ list, size: JSON.stringify(list).length }));
  return sizes.sort((a, b) => b.size - a.size)[0]?.list;
}

function findLists(value: unknown): unknown[][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(findLists);
  return Array.isArray(value) && value.length > 1 ? [value, ...inner] : inner;
}

/** Cuts every text to so many characters; a link that is cut leads nowhere, so it goes. */
function shortenTexts(value: unknown, length: number): unknown {
  if (typeof value === "string") return value.length <= length ? value : cut(value, length);
  if (Array.isArray(value)) return value.map((item) => shortenTexts(item, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      NEVER_CUT.includes(name) ? inner : shortenTexts(inner, length),
    ]),
  );
}

function cut(text: string, length: number): string | null {
  return /^https?:/.test(text) ? null : `${[...text].slice(0, length).join("")}…`;
}
