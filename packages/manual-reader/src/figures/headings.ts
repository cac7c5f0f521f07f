import { usualSize } from "../page.ts";
import { findRole } from "../parts/headers.ts";
import type { Line } from "../text/lines.ts";

export interface Heading {
  /** The label as printed; empty if there is only a title. */
  label: string;
  title: string;
  line: Line;
}

const LABEL = String.raw`(?:\d{1,3}[A-Z]?(?:[-.]\d{1,3}[A-Z]?)*|[A-Z]{1,2}(?:[-.]?\d{1,3})?|[IVX]{1,5})(?![A-Za-z0-9])`;
/** Case matters, unlike in the words before. (V8 14 sometimes fails on a group with flags of its own.) */
const IS_LABEL = new RegExp(`^${LABEL}$`);
const NUMBERED = String.raw`(?:no\.?\s*)?(?<label>${LABEL})(?:\s*[-:.)]\s*|\s+|$)(?<title>.*)$`;
const FIGURE = new RegExp(String.raw`^(?:fig(?:ure|\.)?|illustration|illus\.?|diagram|plate)\s*${NUMBERED}`, "i");
const CONTINUED_END = String.raw`\s*[-,]?\s*\(?\b(?:continued|cont'?d?\.?|suite|fortsetzung)\)?\s*`;
const SECTION = new RegExp(String.raw`^(?:section|group|assembly|block|sheet)\s+${NUMBERED}`, "i");
/** Honda: `E-13 CARBURETOR`. */
const BLOCK = /^(?<label>[A-Z]-\d{1,2}(?:-\d{1,2})?)\s+(?=[A-Z]{3})(?<title>.*)$/;
/** `Mower Deck - Figure 7`, `Mower Deck Illustration-07`. */
const TITLE_FIRST = new RegExp(
  String.raw`^(?<title>.*\S)\s+(?:[-:]\s+(?:fig(?:ure|\.)?|illustration|diagram)\s*(?:no\.?\s*)?|illustration-(?=\d))(?<label>${LABEL})(?:${CONTINUED_END})?$`,
  "i",
);
const CONTINUED = new RegExp(`${CONTINUED_END}$`, "i");
const IN_CONTENTS = /(?:\.\s?){3,}\s*\d*\s*$|\s{2,}\d{1,4}$/;
const LONGEST_TITLE = 70;
/** Beside a title, in pieces: `PUMP (A)=TK20-W (D)=TK20C-W`. */
const LEGEND_PIECE = /\s*\([A-Z]\)\s*[=:]\s*[0-9A-Z./-]*(?=\s|$)/g;
/** Characters that show whether a line is an entry of a list of contents. */
const END_OF_LINE = 60;

/** Headings of figures, else of sections, from the top down, outside lists of contents. */
export function figureHeadings(lines: readonly Line[]): Heading[] {
  const inContents = ({ text }: Line): string | undefined => IN_CONTENTS.exec(text.slice(-END_OF_LINE))?.[0];
  const contents = lines.filter((line) => inContents(line) !== undefined).length >= 3;
  const findHeadings = (pattern: RegExp): Heading[] =>
    lines.flatMap((line) => {
      const end = inContents(line);
      if (end !== undefined && pattern !== TITLE_FIRST && (contents || end.includes("."))) return [];
      const { label = "", title: rest = "" } = pattern.exec(line.text.trim())?.groups ?? {};
      const title = IS_LABEL.test(label) ? readTitle(rest) : undefined;
      return title !== undefined && (title !== "" || pattern === FIGURE) ? [{ label, title, line }] : [];
    });
  const figures = [...findHeadings(FIGURE), ...findHeadings(TITLE_FIRST)].sort((a, b) => a.line.box.y - b.line.box.y);
  return figures.length > 0 ? figures : [...findHeadings(SECTION), ...findHeadings(BLOCK)];
}

/** Undefined if a sentence goes on. */
function readTitle(rest: string): string | undefined {
  const title = rest
    .replace(LEGEND_PIECE, "")
    .replace(/\s{2,}/g, " ")
    .replace(CONTINUED, "")
    .replace(/^[-:.\s]+|[-:\s]+$/g, "");
  if (title === "") return "";
  return title.length <= LONGEST_TITLE &&
    /^[\p{Lu}\d("]/u.test(title) &&
    !/[.;,]$/.test(title) &&
    !/^(?:shows?|is|and|or)\b/i.test(title)
    ? title
    : undefined;
}

const NO_TITLE =
  /^(?:(?:illustrated )?(?:parts?|spare parts)(?: (?:list|manual|catalog(?:ue)?|book|breakdown|identification))?|table of contents|contents|index|notes?|page \d+|continued)$/i;

/** The line that heads a page by size, weight or capitals. */
export function titleOfPage(lines: readonly Line[]): Heading | undefined {
  const usual = usualSize(lines);
  const likely = lines.slice(0, 6).filter((line) => {
    const text = line.text.trim();
    return (
      line.segments.length <= 2 &&
      /\p{L}{3}/u.test(text) &&
      text.length <= LONGEST_TITLE &&
      !NO_TITLE.test(text) &&
      line.segments.some((segment) => findRole(segment.text) === undefined) &&
      !/[.;,:]$/.test(text) &&
      (line.fontSize >= 1.15 * usual || (line.segments.length === 1 && (line.isBold || text === text.toUpperCase())))
    );
  });
  const line = likely.sort((a, b) => b.fontSize - a.fontSize)[0];
  const title = line?.text.trim().replace(/\s{2,}/g, " ");
  return line && { label: "", title: title!.replace(CONTINUED, ""), line };
}
