/** Letters that a word may be away from the one that was meant: none below 5 letters or with a digit, one below 9, then two. */
export function allowedTypos(word: string): 0 | 1 | 2 {
  if (word.length < 5 || !/^\p{L}+$/u.test(word)) return 0;
  return word.length < 9 ? 1 : 2;
}

/** Optimal string alignment (Damerau-Levenshtein) distance: a swap of neighbours is one. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) distance = Math.min(distance, beforeLast[j - 2]! + 1);
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
