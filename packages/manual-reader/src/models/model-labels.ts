import { fold } from "@partline/parts-language";
import { GENERIC, LABEL_REST, MODEL_LABEL } from "./machine-words.ts";

export interface LabelledModel {
  name: string;
  /** Whether the value is in front of the label, as in `the SX models`. */
  isBehind: boolean;
  /** The label says `Type`, as those of components do. */
  isType: boolean;
}

const MOST_VALUES = 12;
const MOST_LINES = 8;
const LONGEST_VALUE = 24;
const SEPARATOR = /\s*(?:[,;|•&]|\s\/\s|\s(?:and|or|through|thru|und|oder|et|ou|y|o|e|och|of)\s)\s*/iu;
/** Letters and digits, or capitals: `EM/2`, `925`, `FBE`. */
const VALUE_WORD = /^(?=.*[\p{Lu}\d])[\p{Lu}\d][\p{Lu}\d./+()-]*\p{Ll}{0,2}\d{0,3}$/u;
const NAME_WORD = /^\p{Lu}[\p{L}\d-]+$/u;
const TYPE_LABEL = /^(?:t[iy]p|тип|s[eé]r|baureihe)/i;
/** Words in front of a label that say that it is of a part of the machine, or of another one. */
const COMPONENT =
  /(?:engine|motor|moteur|tractor|traktor|tracteur|transmission|battery|charger|gearbox|getriebe|pump|compressor)\s*$/i;
const BEHIND =
  /(?<![\p{L}\d-])([\p{Lu}\d][\p{Lu}\d/-]{1,11})\s+(?:models?|MODELS?|Models?|series|Series|SERIES)(?![\p{L}])/gu;

/** Reads the models that labels of a page name: behind `Model`, `Modell`, `型式`, or on the lines below. */
export function readLabels(lines: readonly string[]): LabelledModel[] {
  const labels: LabelledModel[] = [];
  for (const [index, line] of lines.entries()) {
    for (const [, names = ""] of line.matchAll(BEHIND))
      for (const name of names.split("/")) if (isTelling(name)) labels.push({ name, isBehind: true, isType: false });
    const plain = line.normalize("NFC");
    const label = MODEL_LABEL.exec(plain);
    if (!label) continue;
    const start = plain.slice(0, label.index);
    const kind = { isBehind: false, isType: TYPE_LABEL.test(label[0]) };
    // `All models`, `Select the model`: no label, unless it begins a line or a cell.
    if (start !== "" && !/(?:\s{2,}|[:|•.,;(–-]\s*|\p{Lu}[\p{L}®™-]*\s+|(?:^|\s)der\s+)$/u.test(start)) continue;
    const text = plain.slice(label.index + label[0].length);
    const marks = LABEL_REST.exec(text)?.[0] ?? "";
    // `Res (Typ: 49/1)`
    const value = text
      .slice(marks.length)
      .replace(/\s\(\p{L}+:.*$/u, "")
      .trim();
    if (value.startsWith("(") || COMPONENT.test(start)) continue;
    if (value === "") {
      // Under a table's header stands a row.
      if (start !== "") continue;
      for (const below of lines.slice(index + 1, index + 1 + MOST_LINES)) {
        const names = readValues(below);
        if (names.length === 0 || below.length > LONGEST_VALUE * 2 || !isWholeLine(below)) break;
        labels.push(...names.map((name) => ({ name, ...kind })));
      }
    } else labels.push(...readValues(value).map((name) => ({ name, ...kind })));
  }
  return labels;
}

function isTelling(name: string): boolean {
  return name.length > 1 && !GENERIC.has(fold(name)) && !/^\d+$/.test(name);
}

/** Whether a line has nothing but values. */
function isWholeLine(line: string): boolean {
  return line.split(/[\s,;/&]+/).every((word) => VALUE_WORD.test(word) || /^(?:and|or|und|et|y|e)$/i.test(word));
}

/** Reads the models at the beginning of a text: in a list, or side by side. */
function readValues(text: string): string[] {
  const names: string[] = [];
  for (const piece of text.split(SEPARATOR).slice(0, MOST_VALUES)) {
    const words = piece.split(/\s+/).filter((word) => word !== "");
    const lineNames: string[] = [];
    for (const word of words) {
      const value = word.replace(/^[("'“]+|[)"'”.,:;]+$/g, "");
      const isNext =
        VALUE_WORD.test(value) ||
        (lineNames.length === 0 && words.length <= 3 && NAME_WORD.test(value) && !GENERIC.has(fold(value)));
      if (!isNext || (lineNames.length > 0 && GENERIC.has(fold(value)))) break;
      lineNames.push(value);
    }
    const isCut = lineNames.length < words.length;
    // Side by side are those that each have letters and digits: columns of a table.
    const isMany =
      lineNames.length > 1 && lineNames.every((word) => /\p{L}/u.test(word) && /\d/.test(word) && word.length > 3);
    const pieceNames = isMany ? lineNames : lineNames.length > 0 && lineNames.length <= 4 ? [lineNames.join(" ")] : [];
    names.push(...pieceNames.filter(isPlausible));
    if (isCut) break;
  }
  return names;
}

function isPlausible(name: string): boolean {
  if (name.length > LONGEST_VALUE || name.length < 2) return false;
  if (/^\d+$/.test(name)) return name.length >= 3 && name.length <= 6 && !/^(?:19|20)\d\d$/.test(name);
  return (
    !GENERIC.has(fold(name)) && (/\d/.test(name) || /^[\p{Lu}-]{2,12}$/u.test(name) || /^\p{Lu}\p{Ll}/u.test(name))
  );
}
