import { type CatalogMachine, CatalogMachines } from "@partline/parts-search";

/** Machines are read again after so many times what reading them took, within these limits, milliseconds. */
const KEPT_TIMES = 20;
const [LEAST_KEPT, MOST_KEPT] = [2_000, 10_000];

/** Creates what answers the machines of the catalog as they were a moment ago. */
export function createShopMachines(list: () => Promise<readonly CatalogMachine[]>) {
  let latest: { machines: Promise<CatalogMachines>; until: number } | undefined;
  return async (): Promise<CatalogMachines> => {
    if (latest && performance.now() < latest.until) return latest.machines;
    const startedAt = performance.now();
    const reading = { machines: list().then((machines) => new CatalogMachines(machines)), until: Infinity };
    latest = reading;
    try {
      return await reading.machines;
    } finally {
      const now = performance.now();
      reading.until = now + Math.min(MOST_KEPT, Math.max(LEAST_KEPT, (now - startedAt) * KEPT_TIMES));
      // A failure is no answer to who asks next.
      reading.machines.catch(() => (reading.until = 0));
    }
  };
}
