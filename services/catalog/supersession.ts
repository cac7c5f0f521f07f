import { LONGEST_CHAIN } from "../../mixins/part-number.ts";

export interface Supersession {
  partNumber: string;
  successorId?: string;
}

/**
 * Follows a part's successors. Price files may lead in a circle: then the chain ends before the repetition. `unknown`:
 * the last one names a part that does not exist.
 */
export async function successorsOf<T extends Supersession & { _id: string }>(
  part: T,
  find: (id: string) => Promise<T | undefined>,
): Promise<{ chain: T[]; cycle: boolean; unknown: boolean }> {
  const seen = new Set([part._id]);
  const chain: T[] = [];
  let next = part.successorId;
  while (next !== undefined && chain.length < LONGEST_CHAIN) {
    if (seen.has(next)) return { chain, cycle: true, unknown: false };
    seen.add(next);
    const successor = await find(next);
    if (!successor) return { chain, cycle: false, unknown: true };
    chain.push(successor);
    next = successor.successorId;
  }
  return { chain, cycle: false, unknown: false };
}

/** Circles of replacements, each once, from its lowest id on. */
export function supersessionCycles(parts: ReadonlyMap<string, Supersession>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of parts.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && !done.has(id) && parts.has(id)) {
      if (onPath.has(id)) {
        cycles.push(fromLowest(path.slice(path.indexOf(id))).map((member) => parts.get(member)!.partNumber));
        break;
      }
      onPath.add(id);
      path.push(id);
      id = parts.get(id)!.successorId;
    }
    for (const member of path) done.add(member);
  }
  return cycles;
}

function fromLowest(ids: string[]): string[] {
  const lowest = ids.reduce((least, id, index) => (id < ids[least]! ? index : least), 0);
  return [...ids.slice(lowest), ...ids.slice(0, lowest)];
}
