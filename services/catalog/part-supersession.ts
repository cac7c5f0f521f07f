import type { Result } from "../../broker/contract/define.ts";
import { notFound } from "../../mixins/errors.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import type { catalogContract } from "./contract.ts";
import type { PartReader } from "./part-reader.ts";
import type { PartDocument } from "./part.ts";
import { partId } from "./part-number.ts";
import { successorsOf, supersessionCycles } from "./supersession.ts";
import type { Vendor } from "./vendors.ts";

const MAX_PREDECESSORS = 100;
const MAX_CYCLES = 100;

/** @throws NOT_FOUND */
export async function supersessionOf(
  reader: PartReader, vendor: Vendor, partNumber: string,
): Promise<Result<(typeof catalogContract)["actions"]["supersession"]>> {
  const find = async (id: string): Promise<PartDocument | undefined> => (await reader.byIds(vendor, [id]))[0];
  const part = await find(partId(vendor.code, normalizePartNumber(partNumber)));
  if (!part) throw notFound("Part", `${vendor.code} ${partNumber}`);
  const [{ chain, cycle, unknown }, predecessors] = await Promise.all([successorsOf(part, find), reader.predecessors(vendor, part._id, MAX_PREDECESSORS)]);
  return {
    id: part._id,
    partNumber: part.partNumber,
    supersedes: predecessors.map(toReference),
    supersededBy: chain.map(toReference),
    unknownSuccessor: unknown ? ((chain.at(-1) ?? part).supersededBy ?? null) : null,
    cycle,
  };
}

/** What an import report adds of parts that replace each other in a circle: nothing where there are none. */
export async function cyclesAfterImport(reader: PartReader, vendor: Vendor): Promise<{ supersessionCycles?: string[][] }> {
  const cycles = supersessionCycles(await reader.supersessions(vendor));
  return cycles.length === 0 ? {} : { supersessionCycles: cycles.slice(0, MAX_CYCLES) };
}

function toReference({ _id, partNumber, title, status }: PartDocument) {
  return { id: _id, partNumber, title, status };
}
