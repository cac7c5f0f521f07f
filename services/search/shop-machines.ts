import { type CatalogMachine, CatalogMachines, type Model, ModelFinder, type Models } from "@partline/parts-search";

/** Machines are read again after so many times what reading them took, within these limits, milliseconds. */
const KEPT_TIMES = 20;
const [LEAST_KEPT, MOST_KEPT] = [2_000, 30_000];

interface ShopMachinesDeps {
  /** Lists what the catalog's parts fit. */
  list(): Promise<readonly CatalogMachine[]>;
  /** Loads the models of the manuals that were read. */
  loadManualModels(): Promise<Models>;
}

/** Creates what answers the machines of the shop: the catalog's as they were a moment ago, and the manuals'. */
export function createShopMachines({ list, loadManualModels }: ShopMachinesDeps) {
  let latest: { machines: Promise<CatalogMachines>; until: number } | undefined;
  let finder: { version: string; finder: Promise<ModelFinder> } | undefined;
  const load = async (): Promise<CatalogMachines> => {
    if (latest && performance.now() < latest.until) return latest.machines;
    const startedAt = performance.now();
    const previous = latest?.machines.catch(() => undefined) ?? Promise.resolve(undefined);
    const machines = list().then(async (listed) => ((await previous) ?? new CatalogMachines()).update(listed));
    const reading = { machines, until: Infinity };
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
  return {
    load,
    /** Finds makes and models of manuals and catalog; one that both name is the manual's. */
    async openFinder(): Promise<ModelFinder> {
      const [machines, models] = await Promise.all([load(), loadManualModels()]);
      const version = `${machines.version} ${models.version}`;
      if (finder?.version !== version) {
        const catalogModels = [...machines.listAll()].map(toModel).filter(({ equipment }) => !models.has(equipment));
        const match = (typed: string): Model[] => [
          ...models.match(typed),
          ...machines
            .match(typed)
            .flatMap((name) => machines.get(name) ?? [])
            .map(toModel),
        ];
        finder = { version, finder: ModelFinder.build([...models.all(), ...catalogModels], { match }) };
      }
      return finder.finder;
    },
  };
}

export function toModel({ name, maker }: CatalogMachine): Model {
  return { equipment: name, manufacturer: maker };
}
