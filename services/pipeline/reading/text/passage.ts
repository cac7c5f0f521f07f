import { type Box, unionOf } from "../page.ts";
import { boxAt, type Line } from "./lines.ts";

/** Lines as one text, words at line ends rejoined, and where its characters are, in upright coordinates. */
export function passageOf(lines: readonly Line[]) {
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
      return unionOf(boxes.length > 0 ? boxes : [lines[0]!.box]);
    },
  };
}

/** Drops the hyphen of a divided word, keeps that of a number. */
function joined(before: string, next: string): string {
  if (before === "") return next;
  if (/\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(next)) return before.slice(0, -1) + next;
  if (/[0-9A-Z]-$/.test(before) && /^[0-9A-Z]/.test(next) && /\d/.test(lastWord(before) + firstWord(next)))
    return before + next;
  return `${before}\n${next}`;
}

const lastWord = (text: string): string => text.slice(text.search(/\S+$/));
const firstWord = (text: string): string => /^\S*/.exec(text)![0];
