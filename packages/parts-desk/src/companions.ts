import { isCalled } from "@partline/parts-search";
import { createBareItem } from "@partline/parts-language/words";
import { findModelRows, groupCandidates } from "./parts.ts";
import type { DeskSources } from "./port.ts";
import type { Finding } from "./finding.ts";

const MOST_COMPANIONS = 20;
/** Taken off and put on with a part: what does not stand a second use, and what holds it. */
const TAKEN_OFF = ["gasket", "seal", "o-ring", "bearing", "bolt", "screw", "nut", "stud", "washer", "clamp", "pin"];

/** Finds what is drawn in the same figure as the part that was found, gaskets and bolts first. */
export async function findCompanions({ item, ...finding }: Finding, sources: DeskSources): Promise<Finding[]> {
  const rows = finding.parts.flatMap((part) => part.rows);
  const row = rows.find(({ equipment }) => item.models.length === 0 || item.models.includes(equipment));
  if (!row) return [];
  const models = [row.equipment];
  const numbers = new Set(finding.parts.map(({ pnNorm }) => pnNorm));
  const neighborRows = (await findModelRows(models, sources)).filter(
    ({ sha256, schema, page, pnNorm }) =>
      sha256 === row.sha256 && schema === row.schema && (schema !== "" || page === row.page) && !numbers.has(pnNorm),
  );
  const getRank = (description: string): number => {
    const rank = TAKEN_OFF.findIndex((name) => isCalled([name], description));
    return rank === -1 ? TAKEN_OFF.length : rank;
  };
  const parts = groupCandidates(neighborRows, [])
    .map(({ part }) => part)
    .sort((a, b) => getRank(a.description) - getRank(b.description));
  if (parts.length === 0) return [];
  const namedParts = parts.filter(({ description }) => isCalled(item.context, description));
  const firstParts = (namedParts.length > 0 ? namedParts : parts).slice(0, MOST_COMPANIONS);
  return [
    {
      ...finding,
      item: { ...createBareItem(""), models },
      parts: firstParts,
      total: parts.length,
      isAtLeast: false,
      isBeside: true,
      quotes: [],
      nearest: [],
      unknownNumbers: [],
      isUnderstood: true,
    },
  ];
}
