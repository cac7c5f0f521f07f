import { type FoundPart, isListed } from "../findings.ts";

/** Characters: a longer cell is a page of text. */
const LONGEST_DESCRIPTION = 500;

/**
 * Joins mentions of a part: one for each row that names it, by position, or name and quantity, else one, with what the
 * others add and the highest confidence.
 */
export function joinMentions(parts: readonly FoundPart[]): FoundPart[] {
  return [...Map.groupBy(parts, ({ pnNorm }) => pnNorm).values()].flatMap((same) => {
    const rows = [
      ...Map.groupBy(same.filter(isRow), ({ figure, reference, description, quantities }) =>
        JSON.stringify([figure, reference, reference === undefined ? description : "", quantities]),
      ).values(),
    ].flatMap((group) => splitByQuantity(group).map((mentions) => join(mentions, mentions)));
    const listed = rows.filter(
      (row) => isListed(row) || !rows.some((rival) => isListed(rival) && rival.figure === row.figure),
    );
    return listed.length > 0 ? listed.map((row) => join([row], same)) : [join(same, same)];
  });
}

/** Splits mentions without a position by their quantities: a list may need a part twice. */
function splitByQuantity(mentions: readonly FoundPart[]): FoundPart[][] {
  if (mentions[0]?.reference !== undefined) return [[...mentions]];
  const counted = Map.groupBy(mentions, ({ quantity }) => quantity);
  const uncounted = counted.get(undefined) ?? [];
  counted.delete(undefined);
  const [first = [], ...furtherGroups] = counted.values();
  return [[...first, ...uncounted], ...furtherGroups];
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
