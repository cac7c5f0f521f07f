const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Returns every normalized number that is one typing slip away: a character missing, added or wrong, or two neighbours
 * swapped. About 75 for each character, so that an index finds similar numbers among any count.
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
