import type { FitmentRow } from "../facts.ts";
import { relevanceOf } from "../finding/relevance.ts";

/** Where in a manual something is asked for. */
export interface Place {
  /** Its number on the drawing, as rows have it. */
  reference?: string;
  /** Label of the figure. */
  figure?: string;
}

const REFERENCE =
  /\b(?:items?|ref(?:erence)?s?|callouts?|balloons?|keys?|index|pos(?:ition)?)\b\.?\s*(?:(?:number|no|num)\b\.?\s*)?#?\s*(\d{1,3}[A-Z]?)\b(?![-/.]\d)|(?<!\S)#\s?(\d{1,3}[A-Z]?)\b(?![-/.]\d)/i;
const FIGURE =
  /\b(?:fig(?:ure)?s?|diagrams?|drawings?|illustrations?|schemas?|sections?|plates?)\b\.?\s*(?:(?:number|no|num)\b\.?\s*)?#?\s*([A-Z]{0,2}-?\d{1,3}(?:[-.]\d{1,3}){0,2}[A-Z]?)\b(?![-/]\d)/i;

/** The place that a question names, and the question without it. */
export function placeAsked(text: string): { place?: Place; rest: string } {
  const item = REFERENCE.exec(text);
  const reference = item?.[1] ?? item?.[2];
  const without = item === null ? text : text.replace(item[0], ",");
  const figure = FIGURE.exec(without);
  if (reference === undefined && figure === null) return { rest: text };
  return {
    place: { ...(reference === undefined ? {} : { reference }), ...(figure === null ? {} : { figure: figure[1]! }) },
    rest: figure === null ? without : without.replace(figure[0], ","),
  };
}

/**
 * The rows of a place; of those that the question's other words name, its figure or they themselves, where it has such
 * words.
 */
export function rowsAt(
  rows: readonly FitmentRow[],
  { reference, figure }: Place,
  terms: readonly string[],
): FitmentRow[] {
  const there = rows.filter(
    (row) =>
      (reference === undefined || sameLabel(row.reference, reference)) &&
      (figure === undefined || sameLabel(row.figure, figure) || sameLabel(labelOf(row.schema), figure)),
  );
  const drawn = rowsOfSchemas(there, terms);
  // Item and figure together need no other word.
  if (drawn.length > 0 || (reference !== undefined && figure !== undefined)) return drawn.length > 0 ? drawn : there;
  return there.filter(({ description }) => relevanceOf({ terms: [...terms] }, { description }).coverage === 1);
}

/** The rows of the figures and sections whose names have all of the words. */
export function rowsOfSchemas(rows: readonly FitmentRow[], terms: readonly string[]): FitmentRow[] {
  const wanted = [...terms];
  const named = new Set(
    [...new Set(rows.map(({ schema }) => schema))].filter((schema) =>
      wanted.every((term) => relevanceOf({ terms: [term] }, { description: schema }).coverage === 1),
    ),
  );
  return rows.filter(({ schema }) => named.has(schema));
}

function labelOf(schema: string): string | undefined {
  return /^Figure (\S+?)(?::|$)/.exec(schema)?.[1];
}

function sameLabel(printed: string | undefined, typed: string): boolean {
  return printed !== undefined && plain(printed) === plain(typed);
}

/** `01-2.` and `1-2` are one label. */
function plain(label: string): string {
  return label
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .replace(/(^|-)0+(?=\d)/g, "$1");
}
