import type { Collection, DocumentStore } from "../document-store/port.ts";
import { FITMENT_STATE, MANUALS, type FitmentState, type ManualDocument } from "./collections.ts";
import { ModelFinder } from "./model-finder.ts";
import { makeAndModel, type Model } from "./model-names.ts";
import { Models } from "./models.ts";

export type LiveManual = ManualDocument & { live: number };

/** All manuals that were read, at one moment; about 1 KB each in memory. */
export interface Directory {
  revision: number;
  manuals: ReadonlyMap<string, LiveManual>;
  models: Models;
  /** Lists models; made at its first use. */
  finder(): ModelFinder;
  /** Returns the manuals of a model. */
  manualsOf(model: Model): LiveManual[];
}

/** Of a look-up while manuals change. */
const MOST_ATTEMPTS = 5;

/** Keeps the manuals of the store in memory and reads only what has changed. */
export class Directories {
  readonly #state: Collection<FitmentState>;
  readonly #manuals: Collection<ManualDocument>;
  #current: Directory = directoryOf(0, new Map());
  #loading: Promise<Directory> | undefined;

  constructor(documents: DocumentStore) {
    this.#state = documents.collection<FitmentState>(FITMENT_STATE);
    this.#manuals = documents.collection<ManualDocument>(MANUALS);
  }

  async revision(): Promise<number> {
    return (await this.#state.findOne({ _id: "fitment" }))?.revision ?? 0;
  }

  async now(): Promise<Directory> {
    const revision = await this.revision();
    while (this.#current.revision < revision)
      await (this.#loading ??= this.#load(revision).finally(() => (this.#loading = undefined)));
    return this.#current;
  }

  /**
   * Runs `look` again until no manual changed meanwhile. If changes never pause, the last look counts and `isWhole` is
   * false.
   */
  async consistently<T>(look: (directory: Directory) => Promise<T>): Promise<{ found: T; isWhole: boolean }> {
    for (let attempt = 1; ; attempt += 1) {
      const directory = await this.now();
      const found = await look(directory);
      const isWhole = (await this.revision()) === directory.revision;
      if (isWhole || attempt === MOST_ATTEMPTS) return { found, isWhole };
    }
  }

  async #load(revision: number): Promise<Directory> {
    const changed = await this.#manuals.find({ revision: { $gt: this.#current.revision } }, { sort: { revision: 1 } });
    const manuals = new Map(this.#current.manuals);
    for (const manual of changed) {
      if (manual.live === undefined) manuals.delete(manual._id);
      else manuals.set(manual._id, manual as LiveManual);
    }
    this.#current = directoryOf(Math.max(revision, ...changed.map((manual) => manual.revision ?? 0)), manuals);
    return this.#current;
  }
}

function directoryOf(revision: number, manuals: ReadonlyMap<string, LiveManual>): Directory {
  const each = [...manuals.values()].flatMap((manual) =>
    manual.equipment.map((equipment) => ({ manual, model: { equipment, manufacturer: manual.manufacturer } })),
  );
  const ofModel = Map.groupBy(each, ({ model }) => makeAndModel(model));
  const all = each.map(({ model }): Model => model);
  const models = new Models(all);
  let finder: ModelFinder | undefined;
  return {
    revision,
    manuals,
    models,
    finder: () => (finder ??= new ModelFinder(all, models)),
    manualsOf: (model) => (ofModel.get(makeAndModel(model)) ?? []).map(({ manual }) => manual),
  };
}
