import { getMiddle, type TextBox } from "../page.ts";

/** Times the font size of the slash: its digits are smaller, and stand close to it. */
const SMALLER = 0.8;
const CLOSE = 0.15;
/** Likewise: what keeps the whole number of "2 1/4" apart. */
const SPACE = 0.2;

/** Joins a raised digit, a slash and a lowered digit, as fractions are often set, to one text such as "3/8". */
export function joinFractions(texts: readonly TextBox[]): TextBox[] {
  const joined: TextBox[] = [];
  for (let n = 0; n < texts.length; n += 1) {
    const [text, slash, below] = texts.slice(n, n + 3);
    if (!text) break;
    if (slash && below && isFraction(text, slash, below)) {
      const integer = joined.at(-1);
      const indent = integer && /\d$/.test(integer.text) && isClose(integer, text, slash) ? SPACE * slash.fontSize : 0;
      const x = text.x + indent;
      joined.push({ ...slash, x, width: below.x + below.width - x, text: `${text.text}/${below.text}` });
      n += 2;
    } else joined.push(text);
  }
  return joined;
}

function isFraction(above: TextBox, slash: TextBox, below: TextBox): boolean {
  return (
    (slash.text === "/" || slash.text === "\u2044") &&
    [above, slash, below].every(({ angle, hidden }) => angle === 0 && !hidden) &&
    [above, below].every(({ text, fontSize }) => /^\d{1,3}$/.test(text) && fontSize <= SMALLER * slash.fontSize) &&
    getMiddle(above) < getMiddle(below) &&
    isClose(above, slash, slash) &&
    isClose(slash, below, slash)
  );
}

function isClose(left: TextBox, right: TextBox, { fontSize }: TextBox): boolean {
  return (
    Math.abs(right.x - left.x - left.width) <= CLOSE * fontSize &&
    Math.abs(getMiddle(right) - getMiddle(left)) <= fontSize
  );
}
