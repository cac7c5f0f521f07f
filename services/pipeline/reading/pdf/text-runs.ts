import type { HiddenReason, TextBox } from "../page.ts";
import { boxAround } from "./matrix.ts";
import type { Color, PaintedAreas } from "./painted.ts";

/** Letters that look different are different runs. */
export interface Look {
  fontSize: number;
  isBold: boolean;
  color: Color;
  hidden: "invisible-mode" | "off-page" | undefined;
}

interface Run extends Look {
  text: string;
  /** Unit vectors along and above the baseline. */
  along: readonly [number, number];
  up: readonly [number, number];
  start: readonly [number, number];
  end: readonly [number, number];
}

/** Times the font size: below is one word, then two, then another run. */
const WORD_GAP = 0.13;
const RUN_GAP = 0.6;
/** Times a letter's width: a space of fixed-width type. */
const WIDE_GAP = 1.25;
const WIDEST_GAP = 0.8;
/** Kerning and accents set letters back. */
const SET_BACK = 0.35;
/** Of the line box, from the baseline. */
const ASCENT = 0.75;
const DESCENT = 0.22;
/** Points; superscripts are larger. */
const SMALLEST = 2;

/** Joins letters on a baseline to words and runs. */
export class TextRuns {
  readonly #painted: PaintedAreas;
  readonly #found: { box: TextBox; order: number }[] = [];
  #run: Run | undefined;
  #isSpaced = false;

  constructor(painted: PaintedAreas) {
    this.#painted = painted;
  }

  /** From `start` to `end` on the baseline; may be several letters. */
  letter(
    text: string,
    look: Look,
    along: readonly [number, number],
    up: readonly [number, number],
    start: readonly [number, number],
    end: readonly [number, number],
  ): void {
    const run = this.#run;
    if (run && isAlike(run, look) && run.along[0] * along[0] + run.along[1] * along[1] > 0.999) {
      const [dx, dy] = [start[0] - run.end[0], start[1] - run.end[1]];
      const gap = dx * along[0] + dy * along[1];
      const drop = Math.abs(dx * up[0] + dy * up[1]);
      if (drop < 0.15 * look.fontSize && gap > -SET_BACK * look.fontSize && gap < widestGap(run)) {
        const isApart = gap > WORD_GAP * look.fontSize || (this.#isSpaced && gap > 0);
        run.text += isApart ? ` ${text}` : text;
        run.end = end;
        this.#isSpaced = false;
        return;
      }
    }
    this.flush();
    this.#run = { ...look, text, along, up, start, end };
  }

  space(): void {
    this.#isSpaced = true;
  }

  /** Later paint is not behind it. */
  flush(): void {
    const run = this.#run;
    this.#run = undefined;
    this.#isSpaced = false;
    if (!run || run.text.trim() === "") return;
    const box = this.#boxOf(run);
    const hidden = this.#hiddenBecause(run, box);
    this.#found.push({ box: hidden ? { ...box, hidden } : box, order: this.#painted.next() });
  }

  finish(): TextBox[] {
    this.flush();
    const seen = new Set<string>();
    return this.#found.flatMap(({ box, order }) => {
      // Drawn twice: bold, or a shadow.
      const place = `${box.text}@${Math.round(box.x / 2)},${Math.round(box.y / 2)}`;
      if (seen.has(place)) return [];
      seen.add(place);
      return [!box.hidden && this.#painted.isCovered(box, order) ? { ...box, hidden: "covered" as const } : box];
    });
  }

  #hiddenBecause(run: Run, box: TextBox): HiddenReason | undefined {
    if (run.hidden) return run.hidden;
    if (run.fontSize < SMALLEST) return "too-small";
    return this.#painted.hasContrast(box, run.color) ? undefined : "no-contrast";
  }

  #boxOf({ text, along, up, start, end, fontSize, isBold }: Run): TextBox {
    const corner = ([x, y]: readonly [number, number], rise: number): [number, number] => [
      x + up[0] * rise,
      y + up[1] * rise,
    ];
    const [top, bottom] = [ASCENT * fontSize, -DESCENT * fontSize];
    const box = boxAround([corner(start, top), corner(start, bottom), corner(end, top), corner(end, bottom)]);
    const degrees = (Math.atan2(along[1], along[0]) * 180) / Math.PI;
    return { ...box, text: text.trim(), fontSize, isBold, angle: (Math.round(degrees * 2) / 2 + 360) % 360 };
  }
}

function widestGap({ text, start, end, fontSize }: Run): number {
  const letter = Math.hypot(end[0] - start[0], end[1] - start[1]) / text.length;
  return Math.min(WIDEST_GAP * fontSize, Math.max(RUN_GAP * fontSize, WIDE_GAP * letter));
}

function isAlike(one: Look, other: Look): boolean {
  return (
    Math.abs(one.fontSize - other.fontSize) < 0.1 * one.fontSize &&
    one.isBold === other.isBold &&
    one.hidden === other.hidden &&
    (one.color === other.color || (one.color?.every((channel, n) => channel === other.color?.[n]) ?? false))
  );
}
