/** Grades of a query's documents by id; a document without one is worth nothing. */
export type Grades = Readonly<Record<string, number>>;

/** Number of an answer's documents that are judged. */
export const DEPTH = 10;

/**
 * Normalised discounted cumulative gain of the first ten: the gain of a document is 2 to the power of its grade less 1,
 * discounted by the binary logarithm of its rank plus 1, over that of the best ten in the best order. Where nothing is
 * relevant, an empty answer is worth 1 and any other 0.
 */
export function ndcg(foundIds: readonly string[], grades: Grades): number {
  const ideal = gain(Object.values(grades).sort((a, b) => b - a));
  if (ideal === 0) return foundIds.length === 0 ? 1 : 0;
  return gain(foundIds.map((id) => grades[id] ?? 0)) / ideal;
}

/**
 * One over the rank of the first document of the first ten that is relevant at all; 0 without one. Empty answers as in
 * `ndcg`.
 */
export function reciprocalRank(foundIds: readonly string[], grades: Grades): number {
  if (!Object.values(grades).some((grade) => grade > 0)) return foundIds.length === 0 ? 1 : 0;
  const first = foundIds.slice(0, DEPTH).findIndex((id) => (grades[id] ?? 0) > 0);
  return first === -1 ? 0 : 1 / (first + 1);
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, DEPTH).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}
