/**
 * What stands in the words, from left to right and none over another; `spanAt` tells what begins at a word, and `to` is
 * the word behind it.
 */
export function spansIn<S extends { to: number }>(
  words: readonly unknown[],
  spanAt: (from: number) => S | undefined,
): S[] {
  const spans: S[] = [];
  for (let from = 0; from < words.length;) {
    const span = spanAt(from);
    if (span) spans.push(span);
    from = span?.to ?? from + 1;
  }
  return spans;
}
