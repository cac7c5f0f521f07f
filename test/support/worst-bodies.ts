import type { Rule, Rules } from "@partline/api-contracts";

/** Longest body that is read (`body.ts` of http-edge), with room for the rest of it. */
const BYTES = 990_000;
/** Most values and names of one object that the rules see (`json.ts` of http-edge), with room for the rest. */
const VALUES = 99_900;
const NAMES = 9_900;

/** What a place of a body is filled with, by what it is. */
export interface WorstBody {
  /** `items[0].title is a long text`. */
  name: string;
  json: string;
}

/**
 * For each field of the rules, at every depth, bodies that are as long as any may be and hold there as much as can be
 * wrong. Fields whose check was `seen` elsewhere are left out.
 */
export function worstBodies(fields: Rules, seen: Set<string>): WorstBody[] {
  const places = [
    { path: "", around: (filling: string): string => filling, rule: { type: "object", props: fields } as Rule },
    ...placesIn(fields),
  ];
  return places
    .filter(({ rule }) => {
      const check = describeCheck(rule);
      return !seen.has(check) && seen.add(check);
    })
    .flatMap(({ path, around, rule }) =>
      fillings(rule).map(([what, json]) => ({ name: `${path} is ${what}`, json: around(json) })),
    );
}

/** Custom checks, each known by its place. */
const customChecks: unknown[] = [];

/**
 * The same text for rules that check the same, regardless of what they say of it. What an object is filled with has no
 * field that it knows.
 */
function describeCheck(rule: Rule): string {
  return JSON.stringify(rule.type === "object" ? { ...rule, props: {} } : rule, (key, value: unknown) => {
    if (value instanceof RegExp) return String(value);
    if (typeof value === "function") return customChecks.indexOf(value) + 1 || customChecks.push(value);
    const isField = typeof value === "object" && value !== null && "type" in value;
    return ["description", "example", "title"].includes(key) && !isField ? undefined : value;
  });
}

interface Place {
  path: string;
  rule: Rule;
  /** The whole body with this in the place. */
  around: (filling: string) => string;
}

function placesIn(fields: Rules): Place[] {
  return Object.entries(fields).flatMap(([name, rule]) => {
    const rest = Object.entries(fields).filter(([other, { optional }]) => other !== name && !optional);
    const around = (filling: string): string =>
      objectOf([...rest.map(([other, sibling]) => [other, sound(sibling)] as const), [name, filling]]);
    return within({ path: name, rule, around });
  });
}

function within(place: Place): Place[] {
  const { path, rule, around } = place;
  if (rule.type === "array")
    return [place, ...within({ path: `${path}[0]`, rule: rule.items, around: (filling) => around(`[${filling}]`) })];
  if (rule.type === "object")
    return [
      place,
      ...placesIn(rule.props).map((inner) => ({
        ...inner,
        path: `${path}.${inner.path}`,
        around: (filling: string) => around(inner.around(filling)),
      })),
    ];
  if (rule.type === "record")
    return [
      place,
      ...within({ path: `${path}.key`, rule: rule.value, around: (filling) => around(`{"key":${filling}}`) }),
    ];
  return [place];
}

/** Bodies that are refused before the rules see them, at any place: one is enough. */
export const UNREAD: readonly WorstBody[] = [
  { name: "a is too many empty objects", json: `{"a":${listOf("{}", Infinity)}}` },
  { name: "a is too many numbers", json: `{"a":${listOf("0", Infinity)}}` },
  { name: "a is too many nested lists", json: `{"a":${listOf("[[[[0]]]]", Infinity)}}` },
  { name: "a is too many keys", json: `{"a":{${many((index) => `"k${index}":0`)}}}` },
];

/** What is put into many places, made once: up to a megabyte. */
const SHARED = [
  ["many empty objects", listOf("{}")],
  ["many keys", `{${Array.from({ length: NAMES }, (_, index) => `"k${index}":0`).join()}}`],
] as const;
const OF_LISTS = [
  ["many numbers", listOf("0")],
  ["many nested lists", listOf("[[[[0]]]]")],
  ["many objects with an unknown key", listOf('{"a":0}')],
] as const;
const OF_OBJECTS = [
  ["one long key", `{"${"k".repeat(BYTES)}":0}`],
  ["many long and odd keys", `{${many((index) => `"$[${index}]'{field}, ${"k".repeat(1_000)}":{}`)}}`],
] as const;

function fillings(rule: Rule): readonly (readonly [what: string, json: string])[] {
  if (rule.type === "array") return [...SHARED, ...OF_LISTS, ["many sound items", listOf(sound(rule.items))]];
  if (rule.type === "object" || rule.type === "record") return [...SHARED, ...OF_OBJECTS];
  if (rule.type !== "string") return [];
  const pieces = rule.pattern || rule.custom ? ["a", "😀"] : ["a"];
  return pieces.map(
    (piece) => [`many ${piece}`, JSON.stringify(piece.repeat(BYTES / Buffer.byteLength(piece)))] as const,
  );
}

/** JSON of a value that comes through the rule's own check, where it has an example or needs none. */
function sound(rule: Rule): string {
  if (rule.example !== undefined) return JSON.stringify(rule.example);
  switch (rule.type) {
    case "string":
      return JSON.stringify("a".repeat(rule.min ?? 1));
    case "number":
      return String(rule.min ?? 1);
    case "boolean":
      return "true";
    case "date":
      return '"2026-01-01"';
    case "enum":
      return JSON.stringify(rule.values[0]);
    case "array":
      return `[${sound(rule.items)}]`;
    case "object":
      return objectOf(
        Object.entries(rule.props)
          .filter(([, { optional }]) => !optional)
          .map(([name, prop]) => [name, sound(prop)]),
      );
    case "record":
    case "any":
      return "{}";
  }
}

function objectOf(entries: (readonly [name: string, json: string])[]): string {
  return `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

function listOf(item: string, most = VALUES): string {
  const values = 1 + (item.match(/[[{,]/g)?.length ?? 0);
  const count = Math.floor(Math.min(BYTES / (item.length + 1), most / values));
  return `[${Array(count).fill(item).join()}]`;
}

function many(piece: (index: number) => string, bytes = BYTES): string {
  const pieces: string[] = [];
  for (let length = 0; ; length += pieces.at(-1)!.length + 1) {
    const next = piece(pieces.length);
    if (length + next.length + 1 > bytes) return pieces.join();
    pieces.push(next);
  }
}
