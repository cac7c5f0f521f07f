import { DEFAULT_SYNONYMS } from "@partline/parts-language/terms";
import { join } from "node:path";
import type { ServiceBroker } from "moleculer";
import {
  type ChannelHandler,
  type ChannelHandlers,
  type ObjectStore,
  openObjectStore,
  type Periodic,
} from "@partline/durable";
import { startPeriodicTask } from "../../broker/periodic.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import type { Embeddings } from "../../mixins/embeddings/port.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { loadOnce } from "@partline/toolkit";
import { type FitmentReader, openPassageIndex, type PassageIndex } from "@partline/parts-search";
import type { Events } from "../contracts.ts";
import { createFitmentWriter } from "./fitment/writer.ts";
import { createLearner, QUOTED_DOCUMENTS, type Reading } from "./manual-learner.ts";
import { createManualSource } from "./manual-source.ts";

const MEND_EVERY_MS = 15 * 60_000;
/** Time limit of one turn, shorter than its lease: a changed model takes hours, in several turns. */
const MEND_FOR_MS = MEND_EVERY_MS - 60_000;
/** Manuals indexed at once: all passages of each are in memory. */
const LEARNT_AT_ONCE = 2;

/** The manuals of this service: it indexes them as the pipeline finishes them. */
export function createLibrary(
  broker: ServiceBroker,
  { reader, embeddings }: { reader: FitmentReader; embeddings?: Embeddings },
) {
  const { settings, documents } = getServiceRuntime(broker);
  const logger = broker.getLogger("ai");
  const stopping = new AbortController();
  let opened: { index: PassageIndex; mending: Periodic } | undefined;
  const index = (): PassageIndex => {
    if (!opened) throw new PartlineError("SERVICE_UNAVAILABLE", "The passage index is not open yet");
    return opened.index;
  };
  let objects: ObjectStore | undefined;
  /** Opened by the first manual, so that answers do not need S3. */
  const openObjects = loadOnce(async () => (objects = await openObjectStore(settings)));
  const learner = createLearner({
    documents: documents.collection(QUOTED_DOCUMENTS),
    source: createManualSource(openObjects),
    fitment: createFitmentWriter(documents),
    reader,
    index,
    embeddings,
    onWithoutVectors: (error) =>
      logger.warn("A manual is found by its words alone until the embeddings model answers again", error),
  });

  const createChannel = (handle: (reading: Reading) => Promise<void>): ChannelHandler<Reading> => ({
    group: "ai",
    concurrency: LEARNT_AT_ONCE,
    handler: ({ payload }) => handle(payload),
  });

  return {
    learner,
    index,
    channels: {
      "document.created": createChannel(learner.learn),
      "document.deleted": createChannel(learner.forget),
    } satisfies ChannelHandlers<Events>,
    start: async () => {
      const passages = await openPassageIndex({
        directory: join(settings.dataDir, "passages"),
        elasticsearchUrl: settings.elasticsearchUrl,
        elasticsearchPrefix: settings.indexPrefix,
        synonyms: DEFAULT_SYNONYMS.en,
      });
      const mending = startPeriodicTask(
        broker,
        {
          name: "ai.passages",
          everyMs: MEND_EVERY_MS,
          run: () => learner.mendPassages(AbortSignal.any([stopping.signal, AbortSignal.timeout(MEND_FOR_MS)])),
        },
        (error) =>
          logger.warn("Passages of manuals that the index lacks could not be put into it; it is tried again", error),
      );
      opened = { index: passages, mending };
    },
    stop: async () => {
      stopping.abort();
      await opened?.mending.stop();
      await opened?.index.close();
      opened = undefined;
      objects?.close();
    },
  };
}
