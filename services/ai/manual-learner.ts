import type { Embeddings } from "../../mixins/embeddings/port.ts";
import { computeDigest } from "@partline/toolkit";
import { hasCode } from "../../mixins/errors.ts";
import type { FitmentReader, Passage, PassageIndex } from "@partline/parts-search";
import { resolveEquipment, createModelNarrower } from "./fitment/equipment-of-manual.ts";
import { ALL_FIGURES, type DrawnPage } from "./fitment/fitment-rows.ts";
import type { createFitmentWriter, PageFacts } from "./fitment/writer.ts";
import type { SerialRange } from "@partline/parts-language";
import type { ManualFile } from "@partline/manual-reader";
import type { ManualSource } from "./manual-source.ts";
import { cutPage, toPassages, renderEmbeddingText } from "./passages.ts";
import { NO_PAGE } from "@partline/parts-desk";
import type { Collection, CollectionDefinition, Document } from "@partline/durable";

/** A document that answers quote. Its text is kept, as the index is derived data that may be lost. */
interface QuotedDocument extends Document {
  content: string;
  /** Its passages are in the index, with vectors of this model, or with none: empty. */
  indexedBy?: string;
  /** Digest of the equipment of its passages, and the directory's revision that named it. */
  equipment?: string;
  revision?: number;
}

export const QUOTED_DOCUMENTS: CollectionDefinition = { name: "ai_documents" };

interface LearnerDeps {
  documents: Collection<QuotedDocument>;
  source: ManualSource;
  fitment: ReturnType<typeof createFitmentWriter>;
  reader: Pick<FitmentReader, "getDirectory">;
  index(): Pick<PassageIndex, "put" | "remove" | "manuals">;
  embeddings?: Embeddings;
  /** Called if a manual was indexed without vectors; `mendPassages` adds them later. */
  onWithoutVectors(error: unknown): void;
}

/** A manual and the pipeline's run, from 1. */
export interface Reading {
  sha256: string;
  run: number;
}

/** Begins the key of a document's passages; that of a manual is its sha256. */
const DOCUMENT = "document:";
/** Failures in a row after which the model counts as away; of fewer, the passages may be the reason. */
const AWAY_AFTER = 3;
/** Pages whose heading speaks of the whole manual. */
const FIRST_PAGES = 3;

export function createLearner(deps: LearnerDeps) {
  const { documents, source, fitment, reader, index, embeddings, onWithoutVectors } = deps;
  /**
   * Puts passages: by words at once, unless those are there, then with vectors. @returns why vectors are missing;
   * undefined also without a model
   */
  const putPassages = async (manual: string, passages: Passage[], { hasWords = false } = {}): Promise<unknown> => {
    if (!hasWords) await index().put({ manual, passages });
    if (!embeddings) return undefined;
    let failure: unknown;
    const vectors = await embeddings
      .embed(passages.map(renderEmbeddingText))
      .catch((error: unknown) => void (failure = error));
    const withVectors = passages.map((passage, position) => ({ ...passage, vector: vectors?.[position] }));
    if (vectors) await index().put({ manual, vectorModel: embeddings.model, passages: withVectors });
    return failure;
  };

  const readPages = async (manual: ManualFile): Promise<PageFacts & { passages: Passage[] }> => {
    const equipment = resolveEquipment(manual);
    const { figures, manufacturer, sha256 } = manual;
    const narrowModels = createModelNarrower({ equipment, manufacturer }, manual.title);
    const onlyOfPage = new Map<number, string[]>();
    const serialsOfFigure = new Map<string, SerialRange[]>();
    const drawn: DrawnPage[] = [];
    const passages: Passage[] = [];
    for await (const pages of source.readPages(sha256)) {
      for (const { page, text, models, figure, serials, callouts } of pages) {
        // `(A)=2GM20-YEU` is a legend of columns: a heading need not name all of their models.
        const only = /\([A-Z]\)\s*=/.test(text) ? undefined : narrowModels(models);
        if (only) onlyOfPage.set(page, only);
        if (serials && (figure !== undefined || page <= FIRST_PAGES)) {
          const figureName = figure ?? ALL_FIGURES;
          serialsOfFigure.set(figureName, [...(serialsOfFigure.get(figureName) ?? []), ...serials]);
        }
        if (callouts) drawn.push({ page, callouts });
      }
      passages.push(...toPassages(pages, { figures, equipment, onlyOfPage }));
    }
    return { onlyOfPage, serialsOfFigure, drawn, passages };
  };

  /** A removal deletes rows before passages, so a manual removed while its passages are put is seen here. */
  const takeBack = async (sha256: string): Promise<void> => {
    if (!(await reader.getDirectory()).manuals.has(sha256)) await index().remove(sha256);
  };

  /** Removes a manual, unless it was read again since. @throws what a store throws */
  const forget = async ({ sha256, run }: Reading): Promise<void> => {
    if (await fitment.remove(sha256, run)) await index().remove(sha256);
  };

  const toKey = (id: string): string => `${DOCUMENT}${id}`;

  /** Each piece of a document for the equipment that it names, else for the document's only one. */
  const toPieces = async (content: string) => {
    const { models, revision } = await reader.getDirectory();
    const pieces = cutPage(content).map((piece) => {
      const namedModels = models.findNamedIn([piece.heading ?? "", piece.text].join("\n"));
      return { page: NO_PAGE, ...piece, equipment: [...new Set(namedModels.map((model) => model.equipment))].sort() };
    });
    const allEquipment = [...new Set(pieces.flatMap(({ equipment }) => equipment))];
    const passages = pieces.map((piece): Passage =>
      piece.equipment.length === 0 && allEquipment.length === 1 ? { ...piece, equipment: allEquipment } : piece,
    );
    return { passages, named: { equipment: computeDigest(passages.map(({ equipment }) => equipment)), revision } };
  };

  /** Returns whether manuals that were read since make a document's passages those of other equipment. */
  const isOutdated = async ({ _id, content, equipment }: QuotedDocument): Promise<boolean> => {
    const { named: fingerprint } = await toPieces(content);
    if (fingerprint.equipment !== equipment) return true;
    await documents.updateOne({ _id, content }, { $set: fingerprint });
    return false;
  };

  /**
   * Indexes what is kept of a document, again if that changed meanwhile: the last of several at once leaves the newest.
   * @returns why vectors are missing
   */
  const indexDocument = async (id: string, { hasWords = false } = {}): Promise<unknown> => {
    for (let stored = await documents.findOne({ _id: id }); ;) {
      let failure: unknown;
      const pieces = stored && (await toPieces(stored.content));
      if (pieces) failure = await putPassages(toKey(id), pieces.passages, { hasWords });
      else await index().remove(toKey(id));
      const now = await documents.findOne({ _id: id });
      if (now?.content === stored?.content) {
        const indexedBy = failure === undefined ? (embeddings?.model ?? "") : "";
        if (now)
          await documents.updateOne({ _id: id, content: now.content }, { $set: { indexedBy, ...pieces?.named } });
        return failure;
      }
      stored = now;
    }
  };

  return {
    /**
     * Indexes a manual that was read; without vectors while the embeddings model fails. Idempotent, in any order of
     * reads and removals. @throws NOT_FOUND if its files are missing without a removal; what a store throws
     */
    async learn({ sha256, run }: Reading): Promise<void> {
      try {
        const manual = await source.getManual(sha256);
        const { passages, ...pageFacts } = await readPages(manual);
        // Removes also what another process wrote of a run that does not count.
        if (!(await fitment.write(manual, run, source, pageFacts))) {
          await forget({ sha256, run });
          return;
        }
        const failure = await putPassages(sha256, passages);
        if (failure !== undefined) onWithoutVectors(failure);
        await takeBack(sha256);
      } catch (error) {
        // A manual under removal: its event is on the way, and a later try sees it.
        if (!hasCode(error, "NOT_FOUND") || !(await fitment.isOutdated(sha256, run))) throw error;
        await forget({ sha256, run });
      }
    },
    forget,

    /**
     * Indexes a document, unless that was done; without vectors while the embeddings model fails. @throws what a store
     * throws
     */
    async learnDocument({ id, content }: { id: string; content: string }): Promise<void> {
      const stored = await documents.findOne({ _id: id });
      if (stored?.content === content && stored.indexedBy === (embeddings?.model ?? "")) return;
      await documents.replaceOne({ _id: id }, { _id: id, content }, { upsert: true });
      const failure = await indexDocument(id);
      if (failure !== undefined) onWithoutVectors(failure);
    },

    /** @throws what a store throws */
    async forgetDocument({ id }: { id: string }): Promise<void> {
      await documents.deleteOne({ _id: id });
      await indexDocument(id);
    },

    /**
     * Indexes passages of manuals and documents that the index lacks, has with vectors of another model, or has for
     * other equipment than is known now; removes those of manuals and documents that are gone. While the model is away
     * it reads only what the index lacks. @throws AggregateError of those that failed, after the others
     */
    async mendPassages(signal: AbortSignal): Promise<void> {
      const there = new Map((await index().manuals()).map((manual) => [manual.manual, manual]));
      const leftovers = new Set(there.keys());
      const failures: unknown[] = [];
      let failedInARow = 0;
      const attempt = async (change: () => Promise<unknown>): Promise<void> => {
        if (signal.aborted) return;
        try {
          const failure = await change();
          failedInARow = failure === undefined ? 0 : failedInARow + 1;
          if (failure !== undefined) failures.push(failure);
        } catch (error) {
          failures.push(error);
        }
      };
      const mend = async (key: string, put: (hasWords: boolean) => Promise<unknown>): Promise<void> => {
        leftovers.delete(key);
        const indexed = there.get(key);
        const isModelAway = !embeddings || failedInARow >= AWAY_AFTER;
        if (indexed && (isModelAway || indexed.passages === 0 || indexed.vectorModel === embeddings.model)) return;
        await attempt(() => put(indexed !== undefined));
      };
      const { manuals, revision } = await reader.getDirectory();
      for (const sha256 of manuals.keys())
        await mend(sha256, async (hasWords) => {
          const { passages } = await readPages(await source.getManual(sha256));
          const failure = await putPassages(sha256, passages, { hasWords });
          await takeBack(sha256);
          return failure;
        });
      for await (const document of documents.iterate({})) {
        if (signal.aborted) break;
        const { _id: id } = document;
        if (document.revision !== revision && (await isOutdated(document))) there.delete(toKey(id));
        await mend(toKey(id), (hasWords) => indexDocument(id, { hasWords }));
      }
      for (const key of leftovers)
        await attempt(() => (key.startsWith(DOCUMENT) ? indexDocument(key.slice(DOCUMENT.length)) : takeBack(key)));
      if (failures.length > 0)
        throw new AggregateError(
          failures,
          `The passages of ${failures.length} manuals or documents could not be put or removed`,
        );
    },
  };
}
