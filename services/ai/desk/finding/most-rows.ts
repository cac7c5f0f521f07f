import type { FitmentRow, FoundPart } from "../facts.ts";
import type { Ask } from "../understanding/understanding.ts";

/** Places of a part that are told, those that fit the question first: a common bolt is in every manual, many times. */
export const MOST_ROWS = 100;

/**
 * In the order in which places are told: those of the equipment that is asked about, and where there are too many, one
 * of each other equipment before its others.
 */
export function toldFirst(rows: readonly FitmentRow[], { models }: Pick<Ask, "models">): FitmentRow[] {
  const asked = new Set(models.map(({ equipment }) => equipment));
  const seen = new Set<string>();
  const rank = ({ equipment }: FitmentRow): number => {
    if (asked.has(equipment)) return 0;
    const isFirst = rows.length <= MOST_ROWS || !seen.has(equipment);
    seen.add(equipment);
    return isFirst ? 1 : 2;
  };
  return rows
    .map((row) => ({ row, at: rank(row) }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
}

/** Whether a part may be in more places of this equipment than its rows tell. */
export function mayHaveMore({ rows }: Pick<FoundPart, "rows">, equipment: ReadonlySet<string>): boolean {
  return rows.length >= MOST_ROWS && rows.every((row) => equipment.has(row.equipment));
}
