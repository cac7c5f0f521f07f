import type { Embeddings } from "../../../mixins/embeddings/port.ts";
import type { FitmentReader, PassageIndex } from "@partline/parts-search";
import type { ManualSources } from "../desk/port.ts";

const VECTOR_DEADLINE = 1_000;

interface KnowledgeDeps {
  reader: Pick<FitmentReader, "byModel" | "byPart" | "nearNumbers" | "directory">;
  index(): Pick<PassageIndex, "byWords" | "byVector">;
  embeddings?: Embeddings;
  /** Hears why something could not be asked. */
  onFailure(what: string, error: unknown): void;
}

/** What this service's own store knows of manuals, as the desk asks for it. */
export function createManualKnowledge({ reader, index, embeddings, onFailure }: KnowledgeDeps): ManualSources {
  return {
    findMachines: async (text) => (await reader.directory()).models.mentionsIn(text),
    listMachines: async () =>
      [...(await reader.directory()).manuals.values()].flatMap(({ equipment, manufacturer }) =>
        equipment.map((name) => ({ equipment: name, manufacturer })),
      ),
    findRowsByModel: async (model) => (await reader.byModel(model)).rows,
    findRowsByNumber: async (pnNorm) => (await reader.byPart(pnNorm)).rows,
    findNearNumbers: (pnNorm) => reader.nearNumbers(pnNorm),
    async passages({ words = "", vector, models: typed, limit }) {
      try {
        const { models: directoryModels } = await reader.directory();
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
