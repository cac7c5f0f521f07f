/** A row of a parts list, by the figure that it is of and its number in that figure's drawing. */
interface Numbered {
  figure?: string;
  reference?: string;
}

/** Finds the rows of callouts: those of the same figure with the same number, also on other pages. */
export function rowsByCallout<Row extends Numbered>(
  rows: readonly Row[],
): (callout: { figure: string; ref: string }) => Row[] {
  const numbered = rows.filter(({ figure, reference }) => figure !== undefined && reference !== undefined);
  const of = Map.groupBy(numbered, ({ figure, reference }) => keyOf(figure!, reference!));
  return ({ figure, ref }) => of.get(keyOf(figure, ref)) ?? [];
}

/** `(05a)` in a drawing is `5A` in the list. */
function keyOf(figure: string, ref: string): string {
  return `${figure}\u0000${ref
    .toUpperCase()
    .replace(/[^\p{L}\d]/gu, "")
    .replace(/^0+(?=\d)/, "")}`;
}
