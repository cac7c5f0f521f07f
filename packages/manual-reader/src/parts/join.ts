import { type FoundPart, isListed } from "../findings.ts";

/** Characters: a longer cell is a page of text. */
const LONGEST_DESCRIPTION = 500;

/**
 * Joins mentions of a part: one for each row that names it, else one, with what the others add and the highest
 * confidence.
 */
export function joinMentions(parts: readonly FoundPart[]): FoundPart[] {
  return [...Map.groupBy(parts, ({ pnNorm }) => pnNorm).values()].flatMap((same) => {
    const rows = [
      ...Map.groupBy(same.filter(isRow), ({ figure, reference, description, quantities }) =>
        JSON.stringify([figure, reference, reference === undefined ? description : "", quantities]),
      ).values(),
    ].map((group) => sumQuantities(join(group, group), group));
    const listed = rows.filter(
      (row) => isListed(row) || !rows.some((rival) => isListed(rival) && rival.figure === row.figure),
    );
    return listed.length > 0 ? listed.map((row) => join([row], same)) : [join(same, same)];
  });
}

/** Adds up what rows without positions, in which a part differs in nothing else, need of it. */
function sumQuantities(row: FoundPart, rows: readonly FoundPart[]): FoundPart {
  const quantities = new Set(rows.flatMap(({ quantity }) => quantity ?? []));
  if (row.reference !== undefined || row.quantities !== undefined || quantities.size < 2) return row;
  return { ...row, quantity: [...quantities].reduce((sum, quantity) => sum + quantity, 0) };
}

function isRow({ reference, quantity, quantities, namedIn, description }: FoundPart): boolean {
  const name = namedIn === undefined ? description : undefined;
  return [reference, quantity, quantities, name].some((value) => value !== undefined);
}

function join(mentions: readonly FoundPart[], allMentions: readonly FoundPart[]): FoundPart {
  const [first] = mentions;
  const findValue = <Key extends keyof FoundPart>(from: readonly FoundPart[], key: Key): FoundPart[Key] | undefined =>
    from.find((part) => part[key] !== undefined)?.[key];
  const best = allMentions.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  const joined: FoundPart = { ...first!, confidence: best.confidence, pattern: best.pattern };
  for (const key of ["vendor", "replacedBy", "description"] as const) joined[key] ??= findValue(allMentions, key);
  joined.quantity ??= findValue(mentions, "quantity");
  if (mentions.some(({ namedIn }) => namedIn === undefined)) delete joined.namedIn;
  else if (mentions.some(({ namedIn }) => namedIn === "text")) joined.namedIn = "text";
  joined.description = joined.description?.slice(0, LONGEST_DESCRIPTION).toWellFormed();
  for (const key of ["vendor", "replacedBy", "description", "quantity"] as const)
    if (joined[key] === undefined) delete joined[key];
  return joined;
}
