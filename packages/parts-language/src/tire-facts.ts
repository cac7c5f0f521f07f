import { findTireSize, type TireSize } from "./tire-size.ts";

/** What the title of a tire says of it. */
export interface TireFacts extends TireSize {
  /** Plies, or the plies whose strength it has. */
  ply?: number;
  /** Of one tire, and of one of a pair: `115` and `112` of 115/112S. */
  loadIndex?: number;
  loadIndexDual?: number;
  speed?: string;
  /** The tread's name. */
  pattern?: string;
  tube?: "tubeless" | "tube_type";
}

/** Plies by load range. */
const LOAD_RANGES: Readonly<Record<string, number>> = Object.fromEntries(
  [..."ABCDEFGHJLMN"].map((letter, index) => [letter, 2 + 2 * index]),
);
const PLY = /(?<![\w.])(\d{1,2})[\s-]*(?:ply|pr|p\.r\.)(?:[\s-]*rat(?:ed|ing))?(?!\w)/i;
const LOAD_RANGE = /(?<!\w)(?:load\s*range|lr)[\s-]*([A-HJLMN])(?!\w)/i;
/** Behind the size: `159A8`, `159A8/B`, `115/112S`. */
const SERVICE = /(?<![\w./])(\d{2,3})(?:\/(\d{2,3}))?\s?(A[1-8]|[BCDEFGJKLMNPQRSTUHVWY])(?:\/[A-Z]\d?)?(?![\w"])/i;
const LOAD_INDEXES = { least: 50, most: 220 };
const TUBELESS = /(?<!\w)(?:tube[\s-]?less|TL)(?!\w)/i;
const TUBE_TYPE = /(?<!\w)(?:tube[\s-]?type|TT|with tube)(?!\w)/i;
/** Words of a title that name no tread. */
const NO_PATTERN =
  /(?<!\w)(?:tires?|tyres?|wheels?|assembly|assemblies|pneumatic|radial|bias|tubeless|nhs|new|oem|black(?:wall)?|for|and|the)(?!\w)/gi;
const LONGEST_PATTERN = 60;

/** Reads a tire's title; undefined if it has no size. @param brand is no part of the pattern's name */
export function readTireFacts(title: string, brand: string): TireFacts | undefined {
  const match = findTireSize(title);
  if (!match) return undefined;
  const textBefore = title.slice(0, match.start);
  const textAfter = title.slice(match.end);
  const service = SERVICE.exec(textAfter.replace(PLY, " "));
  const loadIndex = service ? Number(service[1]) : undefined;
  const isService = loadIndex !== undefined && loadIndex >= LOAD_INDEXES.least && loadIndex <= LOAD_INDEXES.most;
  const range = LOAD_RANGES[LOAD_RANGE.exec(title)?.[1]?.toUpperCase() ?? ""];
  const ply = Number(PLY.exec(title)?.[1] ?? range ?? Number.NaN);
  const tube = TUBELESS.test(title) ? "tubeless" : TUBE_TYPE.test(title) ? "tube_type" : undefined;
  const pattern = findPattern(textBefore, textAfter, brand);
  return {
    ...match.size,
    ...(ply >= 1 && ply <= 60 ? { ply } : {}),
    ...(isService ? { loadIndex, speed: service![3]!.toUpperCase() } : {}),
    ...(isService && service![2] !== undefined ? { loadIndexDual: Number(service![2]) } : {}),
    pattern,
    tube,
  };
}

/** What stands behind the size up to a comma, else what stands first. */
function findPattern(textBefore: string, textAfter: string, brand: string): string | undefined {
  const [next = ""] = textAfter.split(",");
  const names = [next, ...textBefore.split(",")].map((segment) => nameIn(segment, brand));
  return names.find((name) => name !== undefined);
}

function nameIn(text: string, brand: string): string | undefined {
  const start = brand === "" ? -1 : text.toLowerCase().indexOf(brand.toLowerCase());
  const withoutBrand = start < 0 ? text : `${text.slice(0, start)} ${text.slice(start + brand.length)}`;
  const name = [PLY, LOAD_RANGE, SERVICE, TUBELESS, TUBE_TYPE, NO_PATTERN]
    .reduce((rest, pattern) => rest.replace(pattern, " "), withoutBrand)
    .replace(/[()[\]\s]+/g, " ")
    .replace(/^[\s,;:.-]+|[\s,;:.-]+$/g, "");
  return /[a-z]{2}|[a-z]-?\d|\d-?[a-z]/i.test(name) ? name.slice(0, LONGEST_PATTERN).trim() : undefined;
}
