const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * All that one slip of the keys makes of a normalized number: a character too few, too many or wrong, or two neighbours
 * swapped. Some 75 for each of its characters, so that numbers near it are found by their index however many there are.
 */
export function oneSlipFrom(pnNorm: string): string[] {
  const found = new Set<string>();
  for (let at = 0; at <= pnNorm.length; at += 1) {
    const before = pnNorm.slice(0, at);
    const rest = pnNorm.slice(at);
    for (const letter of ALPHABET) {
      found.add(before + letter + rest);
      if (rest !== "") found.add(before + letter + rest.slice(1));
    }
    if (rest !== "") found.add(before + rest.slice(1));
    if (rest.length > 1) found.add(before + rest[1]! + rest[0]! + rest.slice(2));
  }
  found.delete(pnNorm);
  return [...found];
}
