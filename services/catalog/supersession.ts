import { LONGEST_CHAIN } from "@partline/parts-language";
import { getAt, getFrom } from "@partline/toolkit";
import type { PartReader } from "./part-reader.ts";
import type { PartDocument } from "./part.ts";
import type { Vendor } from "./vendors.ts";

export interface Supersession {
  partNumber: string;
  successorId?: string;
}

/**
 * Follows a part's successors. Price files may lead in a circle: then the chain ends before the repetition. `unknown`:
 * the last one names a part that does not exist.
 */
export async function followSuccessors<T extends Supersession & { _id: string }>(
  part: T,
  find: (id: string) => Promise<T | undefined>,
): Promise<{ chain: T[]; cycle: boolean; unknown: boolean }> {
  const visitedIds = new Set([part._id]);
  const chain: T[] = [];
  let next = part.successorId;
  while (next !== undefined && chain.length < LONGEST_CHAIN) {
    if (visitedIds.has(next)) return { chain, cycle: true, unknown: false };
    visitedIds.add(next);
    const successor = await find(next);
    if (!successor) return { chain, cycle: false, unknown: true };
    chain.push(successor);
    next = successor.successorId;
  }
  return { chain, cycle: false, unknown: false };
}

/** Circles of replacements, each once, from its lowest id on. */
export function findCycles(parts: ReadonlyMap<string, Supersession>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of parts.keys()) {
    const path = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && !done.has(id) && parts.has(id) && !path.has(id)) {
      path.add(id);
      id = getFrom(parts, id).successorId;
    }
    if (id !== undefined && path.has(id)) {
      const circle = [...path].slice([...path].indexOf(id));
      const lowest = circle.indexOf(getAt(circle.toSorted(), 0));
      const members = [...circle.slice(lowest), ...circle.slice(0, lowest)];
      cycles.push(members.map((member) => getFrom(parts, member).partNumber));
    }
    for (const member of path) done.add(member);
  }
  return cycles;
}

const MAX_PREDECESSORS = 100;
const MAX_CYCLES = 100;
const CHAINS_AT_ONCE = 500;

export async function findSupersession(
  reader: Pick<PartReader, "findByIds" | "listPredecessors">,
  vendor: Vendor,
  part: PartDocument,
) {
  const find = async (id: string): Promise<PartDocument | undefined> => (await reader.findByIds(vendor, [id]))[0];
  const [{ chain, cycle, unknown }, predecessors] = await Promise.all([
    followSuccessors(part, find),
    reader.listPredecessors(vendor, part._id, MAX_PREDECESSORS),
  ]);
  return {
    supersedes: predecessors.map(toReference),
    supersededBy: chain.map(toReference),
    unknownSuccessor: unknown ? ((chain.at(-1) ?? part).supersededBy ?? null) : null,
    cycle,
  };
}

/**
 * Returns the circles of replacements that an import made. A new circle has a part changed after its vendor's revision, so only the
 * chains of these are followed, some hundred at a time.
 */
export async function findCyclesAfterImport(
  reader: Pick<PartReader, "listSuperseded" | "findByIds">,
  revisionsBefore: ReadonlyMap<Vendor, number>,
): Promise<{ supersessionCycles?: string[][] }> {
  const cycles = new Map<string, string[]>();
  for (const [vendor, revisionBefore] of revisionsBefore)
    for (let after = revisionBefore; cycles.size < MAX_CYCLES;) {
      const changedParts = await reader.listSuperseded(vendor, after, CHAINS_AT_ONCE);
      if (changedParts.length === 0) break;
      after = getAt(changedParts, -1).revision;
      for (const cycle of findCycles(await withSuccessors(reader, vendor, changedParts)))
        cycles.set(`${vendor.code} ${getAt(cycle, 0)}`, cycle);
    }
  return cycles.size === 0 ? {} : { supersessionCycles: [...cycles.values()].slice(0, MAX_CYCLES) };
}

async function withSuccessors(
  reader: Pick<PartReader, "findByIds">,
  vendor: Vendor,
  parts: readonly PartDocument[],
): Promise<Map<string, Supersession>> {
  const linkedParts = new Map<string, Supersession>();
  let links = parts;
  for (let step = 0; step < LONGEST_CHAIN && links.length > 0; step += 1) {
    for (const link of links) linkedParts.set(link._id, link);
    const next = links.flatMap(({ successorId = "" }) =>
      successorId === "" || linkedParts.has(successorId) ? [] : [successorId],
    );
    links = next.length === 0 ? [] : await reader.findByIds(vendor, [...new Set(next)]);
  }
  return linkedParts;
}

function toReference({ _id, partNumber, title, status }: PartDocument) {
  return { id: _id, partNumber, title, status };
}
