import { setImmediate } from "node:timers/promises";
import type { Collection, DocumentStore } from "@partline/durable";
import {
  DIAGRAMS,
  FITMENT_STATE,
  MANUALS,
  toReadingId,
  type DiagramOfManual,
  type DiagramsDocument,
  type FitmentState,
  type ManualDocument,
} from "./collections.ts";
import { addTo, removeFrom } from "./lists.ts";
import { ModelFinder } from "./model-finder.ts";
import { makeAndModel, type Model } from "./model-names.ts";
import { Models } from "./models.ts";

export type LiveManual = ManualDocument & { live: number };

/**
 * All manuals that were read, at one moment; about 1 KB each in memory. What finds them by their models follows later
 * changes.
 */
export interface Directory {
  revision: number;
  manuals: ReadonlyMap<string, LiveManual>;
  models: Models;
  /** Lists models; made at its first use. */
  finder(): Promise<ModelFinder>;
  manualsOf(model: Model): LiveManual[];
}

/** Maximum number of attempts of a look-up while manuals change. */
const MOST_ATTEMPTS = 5;
/** Manuals that are taken in without a pause. */
const AT_ONCE = 200;

/** Keeps the manuals of the store in memory and reads only what has changed. */
export class Directories {
  readonly #state: Collection<FitmentState>;
  readonly #manuals: Collection<ManualDocument>;
  readonly #diagrams: Collection<DiagramsDocument>;
  readonly #models = new Models([]);
  readonly #ofModel = new Map<string, LiveManual[]>();
  #finder: Promise<ModelFinder> | undefined;
  #current = this.#toDirectory(0, new Map());
  #loading: Promise<Directory> | undefined;

  constructor(documents: DocumentStore) {
    this.#state = documents.collection<FitmentState>(FITMENT_STATE);
    this.#manuals = documents.collection<ManualDocument>(MANUALS);
    this.#diagrams = documents.collection<DiagramsDocument>(DIAGRAMS);
  }

  async readRevision(): Promise<number> {
    return (await this.#state.findOne({ _id: "fitment" }))?.revision ?? 0;
  }

  async readNow(): Promise<Directory> {
    const revision = await this.readRevision();
    while (this.#current.revision < revision)
      await (this.#loading ??= this.#load(revision).finally(() => (this.#loading = undefined)));
    return this.#current;
  }

  /**
   * Runs `look` again until no manual changed meanwhile. If changes never pause, the last look counts and `isWhole` is
   * false.
   */
  async readConsistently<T>(look: (directory: Directory) => Promise<T>): Promise<{ found: T; isWhole: boolean }> {
    for (let attempt = 1; ; attempt += 1) {
      const directory = await this.readNow();
      const result = await look(directory);
      const isWhole = (await this.readRevision()) === directory.revision;
      if (isWhole || attempt === MOST_ATTEMPTS) return { found: result, isWhole };
    }
  }

  async readDiagrams({ _id: sha256, live }: LiveManual): Promise<DiagramOfManual[]> {
    return (await this.#diagrams.findOne({ _id: toReadingId(sha256, live) }))?.diagrams ?? [];
  }

  async #load(revision: number): Promise<Directory> {
    const changedManuals = await this.#manuals.find(
      { revision: { $gt: this.#current.revision } },
      { sort: { revision: 1 } },
    );
    const manuals = new Map(this.#current.manuals);
    for (const [index, manual] of changedManuals.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      const previous = manuals.get(manual._id);
      const now = manual.live === undefined ? undefined : (manual as LiveManual);
      // The one that was read last is the last, as where all are read at once.
      manuals.delete(manual._id);
      if (now) manuals.set(manual._id, now);
      this.#replace(previous, now);
    }
    this.#current = this.#toDirectory(
      Math.max(revision, ...changedManuals.map((manual) => manual.revision ?? 0)),
      manuals,
    );
    return this.#current;
  }

  #replace(previous: LiveManual | undefined, now: LiveManual | undefined): void {
    const [gone, added] = [getModels(previous), getModels(now)];
    for (const key of new Set(gone.map(makeAndModel))) removeFrom(this.#ofModel, key, previous!);
    for (const key of new Set(added.map(makeAndModel))) addTo(this.#ofModel, key, now!);
    if (this.#models.change({ added, gone })) this.#finder = undefined;
  }

  #toDirectory(revision: number, manuals: ReadonlyMap<string, LiveManual>): Directory {
    return {
      revision,
      manuals,
      models: this.#models,
      finder: () => (this.#finder ??= ModelFinder.build(this.#models.all(), this.#models)),
      manualsOf: (model) => this.#ofModel.get(makeAndModel(model)) ?? [],
    };
  }
}

function getModels(manual: LiveManual | undefined): Model[] {
  return manual?.equipment.map((equipment) => ({ equipment, manufacturer: manual.manufacturer })) ?? [];
}
