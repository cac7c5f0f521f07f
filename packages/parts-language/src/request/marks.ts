import { MACHINE, MACHINE_MARK, MACHINE_MARKS, type NearName } from "./piece.ts";
import { deduplicate } from "./item.ts";

/** Where a text names machines. */
export interface MachineMention {
  from: number;
  to: number;
  models: { equipment: string; manufacturer?: string }[];
  /**
   * `named`: in full, in any spelling. `part`: a beginning of its name, or its digits alone. `near`: a slip or two
   * away, and maybe another machine. `maker`: its manufacturer alone, with all of its models.
   */
  how: "named" | "part" | "near" | "maker";
}

/** A text with a mark in place of each machine that it means. */
export interface MarkedText {
  masked: string;
  /** Names that are a slip away from a known machine's. */
  near: readonly NearName[];
  /** The machines that marks stand for. */
  mentions: readonly MachineMention[];
  /** Lists the models that a piece of the masked text has marks of. */
  findModels: (piece: string) => string[];
}

const YEAR = /\(?\b(?:19|20)\d\d\b\)?/.source;
/** Said of a machine beside its name: power, a serial number, a year. */
const ASIDES = new RegExp(
  `\\b(?:with (?:an? )?)?\\d+(?:\\.\\d+)?\\s*-?\\s*(?:hp|horse ?power)\\b(?:\\s+(?:engine|motor))?|\\b(?:serial(?:\\s+(?:no\\.?|number|num|#))?|s\\/n|sn)\\s*(?:is\\s+|of\\s+)?:?\\s*#?\\s*[A-Z0-9-]*\\d[A-Z0-9-]{3,}|${YEAR}(?=\\s*(?:\\w+\\s+){0,2}[\\uE000-\\uE3FF])|(?<=[\\uE000-\\uE3FF]\\s*)(?:from\\s+)?${YEAR}|\\b(?:in|since|until|around)\\s+${YEAR}`,
  "gi",
);
/** `2014 Honda GX390` */
const YEAR_OF_STRANGER = new RegExp(`${YEAR}(?=\\s+(?:[a-z]+\\s+){0,2}[a-z]{1,4}-?\\d{2,5}[a-z]{0,2}(?:\\s|$))`, "gi");

/** Replaces each known machine by a mark, and drops what is said of it beside its name. */
export function markMachines(text: string, allMentions: readonly MachineMention[]): MarkedText {
  const namedMentions = allMentions.filter(({ how }) => how !== "maker");
  // Manufacturers alone say which machine is meant where nothing else does.
  const usedMentions = namedMentions.length > 0 || /\p{L}-?\d{2}|\d{3}/u.test(text) ? namedMentions : allMentions;
  const mentions = usedMentions.filter(({ how }) => how !== "near");
  const makers = new Set(
    mentions.flatMap(({ how, models }) => (how === "maker" ? [] : models.map(({ manufacturer }) => manufacturer))),
  );
  let masked = text;
  for (const { from, to, how, models } of allMentions)
    if (how === "maker" && models.some(({ manufacturer }) => makers.has(manufacturer)))
      masked = masked.slice(0, from) + " ".repeat(to - from) + masked.slice(to);
  for (const [index, { from, to }] of [...mentions.entries()].reverse())
    masked = `${masked.slice(0, from)} ${String.fromCodePoint(MACHINE + index)} ${masked.slice(to)}`;
  masked = masked.replace(MACHINE_MARK.test(masked) ? ASIDES : YEAR_OF_STRANGER, " ");
  return {
    masked,
    mentions,
    near: usedMentions
      .filter(({ how }) => how === "near")
      .map(({ from, to, models }) => ({ text: text.slice(from, to), models: listModelNames(models) })),
    findModels: (piece) =>
      listModelNames(
        (piece.match(MACHINE_MARKS) ?? []).flatMap(
          (mark) => mentions[(mark.codePointAt(0) ?? 0) - MACHINE]?.models ?? [],
        ),
      ),
  };
}

export function listModelNames(machines: readonly { equipment: string }[]): string[] {
  return deduplicate(machines.map(({ equipment }) => equipment));
}
