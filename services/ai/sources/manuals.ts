import type { Embeddings } from "../../../mixins/embeddings/port.ts";
import type { FitmentReader, PassageIndex } from "@partline/parts-search";
import type { ManualSources } from "@partline/parts-desk";
import { isNamedByTitle } from "../fitment/equipment-of-manual.ts";
import { withNamedManuals } from "./manual-names.ts";

const VECTOR_DEADLINE = 1_000;

interface KnowledgeDeps {
  reader: Pick<FitmentReader, "readByModel" | "readByPart" | "findNearNumbers" | "getDirectory">;
  index(): Pick<PassageIndex, "byWords" | "byVector">;
  embeddings?: Embeddings;
  /** Hears why something could not be asked. */
  onFailure(what: string, error: unknown): void;
}

/** Creates the source that answers from this service's own store of manuals. */
export function createManualKnowledge({ reader, index, embeddings, onFailure }: KnowledgeDeps): ManualSources {
  return {
    findMachines: async (text) => {
      const directory = await reader.getDirectory();
      return withNamedManuals(text, directory.models.findMentions(text), directory);
    },
    listMachines: async () =>
      [...(await reader.getDirectory()).manuals.values()].flatMap((manual) =>
        manual.equipment.map((equipment) => ({
          equipment,
          manufacturer: manual.manufacturer,
          ...(isNamedByTitle(manual) && { isTitle: true as const }),
          ...(manual.listPictures && { unreadPages: manual.listPictures }),
        })),
      ),
    findRowsByModel: async (model) => (await reader.readByModel(model)).rows,
    findRowsByNumber: async (pnNorm) => (await reader.readByPart(pnNorm)).rows,
    findNearNumbers: (pnNorm) => reader.findNearNumbers(pnNorm),
    async passages({ words = "", vector, models: typed, limit }) {
      try {
        const { models: directoryModels } = await reader.getDirectory();
        const models = typed?.flatMap((model) => directoryModels.match(model).map(({ equipment }) => equipment));
        const hits =
          vector && embeddings
            ? await index().byVector({ vector, vectorModel: embeddings.model, models, limit })
            : await index().byWords({ words, models, limit });
        return hits.map(({ manual: sha256, page, text, equipment }) => ({ sha256, page, text, equipment }));
      } catch (error) {
        onFailure("The manuals' passages could not be searched", error);
        throw error;
      }
    },
    ...(embeddings && {
      async vector(text: string) {
        try {
          return (await embeddings.embed([text], { deadlineMs: VECTOR_DEADLINE }))[0];
        } catch (error) {
          onFailure("The question could not be embedded", error);
          return undefined;
        }
      },
    }),
  };
}
