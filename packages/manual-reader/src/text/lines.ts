import { type Box, getMiddle, type TextBox, uniteBoxes } from "../page.ts";

/** In upright coordinates. */
export interface Word extends Box {
  text: string;
  fontSize: number;
  isBold: boolean;
}

export interface Line {
  /** Segments are two spaces apart; dashes and spaces are plain. */
  text: string;
  box: Box;
  fontSize: number;
  isBold: boolean;
  /** Texts apart from their neighbours, as cells. */
  segments: { text: string; box: Box }[];
  words: (Word & { start: number })[];
}

/** Times the font size. */
const SPACE = 0.12;
const APART = 1;

/** Plain dashes and spaces, of equal length; fonts without a narrow space have a control character for it. */
export function plain(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212\u00ad\ufe63\uff0d]/g, "-").replace(/[\s\p{Cc}]/gu, " ");
}

export function toWord({ text, fontSize, isBold, x, y, width, height }: TextBox): Word {
  return { text: plain(text), fontSize: fontSize || height || 1, isBold, x, y, width, height };
}

/** Words by line, top down and left to right. */
export function groupRows<T extends Word>(words: readonly T[]): T[][] {
  const rows: { words: T[]; top: number; bottom: number }[] = [];
  for (const word of words.filter(({ text }) => text.trim() !== "").sort((a, b) => getMiddle(a) - getMiddle(b))) {
    const bottom = word.y + word.height;
    const row = rows.findLast(
      (candidate) =>
        Math.min(bottom, candidate.bottom) - Math.max(word.y, candidate.top) >=
        0.5 * Math.min(word.height, candidate.bottom - candidate.top),
    );
    if (row && rows.length - rows.indexOf(row) <= 3) {
      row.words.push(word);
      // A tall word must not catch the next line.
      if (word.height < row.bottom - row.top) {
        row.top = word.y;
        row.bottom = bottom;
      }
    } else rows.push({ words: [word], top: word.y, bottom });
  }
  return rows.map((row) => row.words.sort((a, b) => a.x - b.x));
}

export function toLine(row: readonly Word[]): Line {
  const words: Line["words"] = [];
  const segments: { start: number; boxes: Box[] }[] = [];
  let text = "";
  let previous: Word | undefined;
  for (const word of row) {
    const gap = previous ? word.x - previous.x - previous.width : 0;
    const size = previous ? Math.min(word.fontSize, previous.fontSize) : word.fontSize;
    const isApart = previous !== undefined && gap > APART * size;
    if (isApart) text = `${text.trimEnd()}  `;
    else if (previous && gap > SPACE * size && !text.endsWith(" ") && !word.text.startsWith(" ")) text += " ";
    const wordText = isApart || !previous ? word.text.trimStart() : word.text;
    if (isApart || !previous) segments.push({ start: text.length, boxes: [] });
    segments.at(-1)!.boxes.push(word);
    words.push({ ...word, text: wordText, start: text.length });
    text += wordText;
    previous = word;
  }
  return {
    text: text.trimEnd(),
    box: uniteBoxes(row),
    fontSize: Math.max(...row.map(({ fontSize }) => fontSize)),
    isBold: row.every(({ isBold }) => isBold),
    segments: segments.map(({ start, boxes }, n) => ({
      text: text.slice(start, segments[n + 1]?.start).trim(),
      box: uniteBoxes(boxes),
    })),
    words,
  };
}

/** Lines of the words that pass. */
export function filterWords(lines: readonly Line[], passes: (word: Word) => boolean): Line[] {
  return lines.flatMap((line) => {
    const words = line.words.filter(passes);
    if (words.length === line.words.length) return [line];
    return words.length > 0 ? [toLine(words)] : [];
  });
}

/** Place of a line's characters, at equal widths. */
export function boxAt(line: Line, start: number, end: number): Box {
  const boxes = line.words.flatMap((word) => {
    const from = Math.max(start - word.start, 0);
    const to = Math.min(end - word.start, word.text.length);
    if (from >= to) return [];
    const step = word.width / word.text.length;
    return [{ x: word.x + from * step, y: word.y, width: (to - from) * step, height: word.height }];
  });
  return boxes.length > 0 ? uniteBoxes(boxes) : line.box;
}

/** Lines as one text, words at line ends rejoined, and where its characters are, in upright coordinates. */
export function toPassage(lines: readonly Line[]) {
  let text = "";
  const starts: number[] = [];
  for (const line of lines) {
    text = joined(text, line.text);
    starts.push(text.length - line.text.length);
  }
  return {
    text,
    boxAt(start: number, end: number): Box {
      const boxes = lines.flatMap((line, index) => {
        const from = Math.max(start - starts[index]!, 0);
        const to = Math.min(end - starts[index]!, line.text.length);
        return from < to ? [boxAt(line, from, to)] : [];
      });
      return uniteBoxes(boxes.length > 0 ? boxes : [lines[0]!.box]);
    },
  };
}

/** Drops the hyphen of a divided word, keeps that of a number. */
function joined(left: string, next: string): string {
  if (left === "") return next;
  if (/\p{Ll}-$/u.test(left) && /^\p{Ll}/u.test(next)) return left.slice(0, -1) + next;
  if (/[0-9A-Z]-$/.test(left) && /^[0-9A-Z]/.test(next) && /\d/.test(lastWord(left) + firstWord(next)))
    return left + next;
  return `${left}\n${next}`;
}

const lastWord = (text: string): string => text.slice(text.search(/\S+$/));
const firstWord = (text: string): string => /^\S*/.exec(text)![0];
