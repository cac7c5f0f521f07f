import { HEADER_WORDS } from "@partline/parts-language/terms";
import { readPartNumber } from "./part-number.ts";
import { Remark } from "./remarks.ts";

const REPLACED = new RegExp(
  String.raw`(?<!\p{L})${HEADER_WORDS.replaced}[\s:=]+(?:(?:(?:part|art|ref|item|nummer|num|no|nr|n[.°º])[.:°º#-]*){1,3}\s+)?(?<rest>\S.*)`,
  "iu",
);
/** A piece of a number that blanks divide: `A 169 320 09 89`. */
const PIECE = /^(?:\p{Lu}{1,3}|(?=\P{N}*\p{N})[\p{L}\p{N}][\p{L}\p{N}./#-]*)$/u;
const YEAR = /^(?:19|20)\d\d$/;
/** Fewer signs number no part: `replaced by 2 halves`. */
const LEAST = 3;

/**
 * Returns the number of the part that replaces another, where a text says so in words: `ersetzt durch 614 071`; null
 * if they name none or several.
 */
export function findReplacement(text: string): string | null | undefined {
  if (!/\d/.test(text)) return undefined;
  const { rest } = REPLACED.exec(text.normalize("NFKD").replace(/\p{M}/gu, ""))?.groups ?? {};
  if (rest === undefined) return undefined;
  const words = rest.split(/\s+|(?=[,;()])|(?<=[,;()])/).map((word) => word.replace(/\.$/, ""));
  const end = words.findIndex((word) => !PIECE.test(word));
  const pieces = end === -1 ? words : words.slice(0, end);
  const number = pieces.join(" ");
  const forms = new Set(pieces.map(toForm));
  if (words.slice(pieces.length).some((word) => /\d/.test(word) && !YEAR.test(word) && forms.has(toForm(word))))
    return null;
  const isNumber = /\d/.test(number) && number.replace(/[^\p{L}\p{N}]/gu, "").length >= LEAST;
  return isNumber && !(readPartNumber(number) instanceof Remark) ? number : null;
}

/** `10.01.429` and `10.00.061` have one form. */
const toForm = (word: string): string => word.replace(/\p{L}+/gu, "A").replace(/\d+/g, "9");
