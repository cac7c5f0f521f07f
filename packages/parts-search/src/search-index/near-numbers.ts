import { computeEditDistance } from "./edit-distance.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Characters that are read for each other, the digit first. */
const ALIKE = ["0OQD", "1IL", "2Z", "5S", "6G", "8B"];
/** Ways to read a number's characters for others, at most. */
const MOST_READINGS = 256;

/**
 * Returns every number that is one typing slip away, about 75 for each character: an index finds similar numbers among
 * any count.
 */
export function listSlips(pnNorm: string): string[] {
  const slips = new Set<string>();
  for (let index = 0; index <= pnNorm.length; index += 1) {
    const head = pnNorm.slice(0, index);
    const [first, second = "", rest] = [pnNorm[index], pnNorm[index + 1], pnNorm.slice(index + 2)];
    for (const letter of ALPHABET) {
      slips.add(head + letter + pnNorm.slice(index));
      if (first) slips.add(head + letter + second + rest);
    }
    if (first) slips.add(head + second + rest).add(head + second + first + rest);
  }
  slips.delete(pnNorm);
  return [...slips];
}

/** Returns the numbers that look alike, with any of the characters misread: `B5` for `85`, `8S` and `BS`. */
export function listAlike(pnNorm: string): string[] {
  let readings = [""];
  for (const character of pnNorm) {
    const group = ALIKE.find((characters) => characters.includes(character)) ?? character;
    // Of a number with many of them, letters are read as digits alone.
    const isMany = readings.length * group.length > MOST_READINGS;
    const options = isMany ? group.slice(0, 1) : group;
    readings = readings.flatMap((reading) => [...options].map((option) => reading + option));
  }
  return readings.filter((reading) => reading !== pnNorm);
}

/** How unlikely it is that `pnNorm` was meant by what was typed: 0 if they look alike. */
export function rankSlip(typed: string, pnNorm: string): number {
  if (toDigits(typed) === toDigits(pnNorm)) return 0;
  if (typed.length === pnNorm.length) {
    const place = [...typed].findIndex((character, index) => character !== pnNorm[index]);
    const [character = "", counterpart] = [typed[place], pnNorm[place]];
    if (typed[place + 1] === counterpart && pnNorm[place + 1] === character) return 1;
    // A key beside it, or a digit for a digit.
    return /\d/.test(character) && Math.abs(Number(character) - Number(counterpart)) === 1 ? 4 : 5;
  }
  const [longer, shorter] = typed.length > pnNorm.length ? [typed, pnNorm] : [pnNorm, typed];
  const isDoubled = [...longer].some(
    (character, index) =>
      character === longer[index + 1] && longer.slice(0, index) + longer.slice(index + 1) === shorter,
  );
  return isDoubled ? 2 : 3;
}

/** Returns whether one slip, or characters that look alike, make the one of the other. */
export function isNearNumber(typed: string, pnNorm: string): boolean {
  return typed !== pnNorm && (toDigits(typed) === toDigits(pnNorm) || computeEditDistance(typed, pnNorm) === 1);
}

function toDigits(pnNorm: string): string {
  return [...pnNorm].map((character) => ALIKE.find((group) => group.includes(character))?.[0] ?? character).join("");
}
