import type { Params, Result } from "@partline/api-contracts";
import { type IndexDocument, listFits, type SearchIndex, MAX_DEPTH } from "@partline/parts-search";
import { answerInTime } from "./answer-in-time.ts";
import type { searchContract } from "./contract.ts";
import { findNamedParts } from "./part-availability.ts";
import { toHitsQuery } from "./query.ts";
import { toModel, type createShopMachines } from "./shop-machines.ts";

type Action = (typeof searchContract)["actions"]["catalogFitment"];

/** Lists what the catalog says that fits: the parts of a machine, active ones first, or the machines of a part. */
export async function listCatalogFitment(
  { model, part, offset, limit }: Params<Action>,
  { index, machines }: { index: SearchIndex; machines: ReturnType<typeof createShopMachines> },
): Promise<Result<Action>> {
  const shopMachines = await machines.load();
  const toRows = async (ids: string[], names?: readonly string[]) => {
    const documents = await answerInTime(index.get("parts", ids));
    return documents.flatMap((document) => toFits(document, names).map((fit) => ({ ...fit, ...toPart(document) })));
  };
  if (model === undefined) {
    const parts = part === undefined ? [] : await answerInTime(findNamedParts(index, part));
    const rows = await toRows(parts.map(({ id }) => id));
    return { machines: listMachines(rows.map(({ equipment }) => equipment)), rows, total: rows.length };
  }
  const names = shopMachines.match(model);
  const ids: string[] = [];
  let total = 0;
  for (const status of ["active", "discontinued"] as const) {
    const from = Math.max(0, offset - total);
    const query = { ...toHitsQuery("", Math.min(limit - ids.length, MAX_DEPTH - from)), machines: names, status };
    if (names.length === 0 || query.limit < 0) break;
    const page = await answerInTime(index.search("parts", { ...query, offset: from }));
    ids.push(...page.hits.map(({ document }) => document.id));
    total += page.total;
  }
  return { machines: listMachines(names), rows: await toRows(ids, names), total };

  function listMachines(machineNames: readonly string[]) {
    const catalogMachines = [...new Set(machineNames)].flatMap((name) => shopMachines.get(name) ?? []);
    return catalogMachines.map(toModel).map(({ equipment, manufacturer = null }) => ({ equipment, manufacturer }));
  }
}

/** Of these machines the first that a part fits; without names all that it fits. */
function toFits(document: IndexDocument, names?: readonly string[]) {
  const fits = listFits(document).map(({ machine: equipment, source }) => ({ equipment, source }));
  return names ? fits.filter(({ equipment }) => names.includes(equipment)).slice(0, 1) : fits;
}

function toPart({ id, partNumber, title, manufacturer, supersededBy }: IndexDocument) {
  return { productId: id, partNumber, title, manufacturer: manufacturer.name, replacedBy: supersededBy ?? null };
}
