import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { CallOrigin } from "../../broker/contract/call.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { linkBase } from "../../broker/settings/addresses.ts";
import { openEmbeddings } from "../../mixins/embeddings/open.ts";
import { watchProvider } from "../../broker/metrics/providers.ts";
import { call, implement, type Events } from "../contracts.ts";
import { createEndpointModel } from "./chat/endpoint-model.ts";
import { createTestChat } from "./chat/test-chat.ts";
import { aiContract } from "./contract.ts";
import { createDeskActions } from "./desk/actions.ts";
import { createConversations } from "./desk/conversation.ts";
import { createDesk, type Desk, type DeskQuestion } from "./desk/desk.ts";
import type { DeskSources } from "./desk/port.ts";
import { createDeliveryDays, createShopSources } from "./sources/shop.ts";
import { createFitmentAnswers } from "./fitment/answers.ts";
import { createAskCatalog } from "./fitment/catalog-facts.ts";
import { createMachineAnswers } from "./fitment/machines.ts";
import { Directories } from "../../mixins/fitment-index/directory.ts";
import { FigureReader } from "../../mixins/fitment-index/figure-reader.ts";
import { FitmentReader } from "../../mixins/fitment-index/reader.ts";
import { createManualLinks } from "../shared/manual-links.ts";
import { createManualKnowledge } from "./sources/manuals.ts";
import { join } from "node:path";
import type { ChannelHandler, ChannelHandlers } from "../../broker/channels/port.ts";
import { startPeriodic } from "../../broker/periodic.ts";
import type { Embeddings } from "../../mixins/embeddings/port.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { loadOnce } from "../../mixins/load-once.ts";
import { openObjectStore } from "../../mixins/object-store/open.ts";
import type { ObjectStore } from "../../mixins/object-store/port.ts";
import { openPassageIndex } from "../../mixins/passage-index/open.ts";
import type { PassageIndex } from "../../mixins/passage-index/port.ts";
import { DEFAULT_SYNONYMS } from "../../mixins/search-index/synonyms.ts";
import { createFitmentWriter } from "./fitment/writer.ts";
import { createLearner, QUOTED_DOCUMENTS, type Reading } from "./manual-learner.ts";
import { createManualSource } from "./manual-source.ts";

/** Timeout of recording a question as a search with the search service, milliseconds. */
const RECORD_DEADLINE = 2_000;

export default function aiService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents } = serviceRuntimeOf(broker);
  const logger = broker.getLogger("ai");
  const directories = new Directories(documents);
  const reader = new FitmentReader(documents, directories);
  const figures = new FigureReader(documents, directories);
  const embeddings = openEmbeddings(settings.embeddings, watchProvider(broker, "embeddings"));
  const library = createLibrary(broker, { reader, embeddings });
  const links = createManualLinks(linkBase(settings, "gateway"));
  const askCatalog = createAskCatalog(broker);
  const answerDeps = { reader, figures, links, askCatalog };

  const watched = watchProvider(broker, "chat-model");
  const chat = settings.chat && createEndpointModel(settings.chat, watched.onFailure, watched.watchCircuit);
  const onFailure = (what: string, error: unknown): void => logger.debug(what, error);
  const knowledge = createManualKnowledge({ reader, index: library.index, embeddings, onFailure });
  const daysOf = createDeliveryDays(settings.shipping);
  const sourcesFor = (origin: CallOrigin): DeskSources => ({
    ...knowledge,
    ...createShopSources(origin, onFailure, daysOf),
  });
  const desk = createDesk({
    sources: sourcesFor(broker),
    conversations: createConversations(documents),
    links,
    storeUrl: settings.storeUrl,
    chat,
  });
  /** No answer waits for it, and it names no user. */
  const onSearch: DeskQuestion["onSearch"] = (search) => {
    call(broker, "search.recordSearch", search, { timeout: RECORD_DEADLINE }).catch((error: unknown) =>
      logger.debug("A question was not recorded as a search", error),
    );
  };
  const recordedDesk: Desk = { answer: (question) => desk.answer({ ...question, onSearch }) };
  const { query, queryStream, ...answering } = createDeskActions(recordedDesk, sourcesFor);

  return implement(aiContract, {
    actions: {
      query,
      queryStream,
      testChat: createTestChat({ desk, location: settings.chat, chat }),
      learnDocument: async (ctx) => ({ model: (await library.learner.learnDocument(ctx.params)) ?? null }),
      forgetDocument: async (ctx) => {
        await library.learner.forgetDocument(ctx.params);
        return {};
      },
      ...createFitmentAnswers(answerDeps),
      ...createMachineAnswers(answerDeps),
    },
    channels: library.channels,
    events: {
      "ai.query.abandoned": {
        params: { answerId: { type: "string" } },
        handler: (ctx) => answering.abandoned((ctx.params as { answerId: string }).answerId),
      },
    },
    started: () => library.start(),
    stopped: async () => {
      answering.stop();
      await library.stop();
      await embeddings?.close();
    },
  });
}

const MEND_EVERY_MS = 15 * 60_000;
/** So that its lease outlasts it: a model that changed takes hours, in several turns. */
const MEND_FOR_MS = MEND_EVERY_MS - 60_000;
/** Manuals indexed at once: all passages of each are in memory. */
const LEARNT_AT_ONCE = 2;

/** It indexes manuals as the pipeline finishes them. */
function createLibrary(
  broker: ServiceBroker,
  { reader, embeddings }: { reader: FitmentReader; embeddings?: Embeddings },
) {
  const { settings, documents } = serviceRuntimeOf(broker);
  const logger = broker.getLogger("ai");
  const stopping = new AbortController();
  let opened: { index: PassageIndex; mending: ReturnType<typeof startPeriodic> } | undefined;
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

  const channel = (handle: (reading: Reading) => Promise<void>): ChannelHandler<Reading> => ({
    group: "ai",
    concurrency: LEARNT_AT_ONCE,
    handler: ({ payload }) => handle(payload),
  });

  return {
    learner,
    index,
    channels: {
      "document.created": channel(learner.learn),
      "document.deleted": channel(learner.forget),
    } satisfies ChannelHandlers<Events>,
    start: async () => {
      const passages = await openPassageIndex({
        directory: join(settings.dataDir, "passages"),
        elasticsearchUrl: settings.elasticsearchUrl,
        elasticsearchPrefix: settings.indexPrefix,
        synonyms: DEFAULT_SYNONYMS.en,
      });
      const mending = startPeriodic(
        {
          name: "ai.passages",
          everyMs: MEND_EVERY_MS,
          run: () => learner.mendPassages(AbortSignal.any([stopping.signal, AbortSignal.timeout(MEND_FOR_MS)])),
        },
        {
          documents,
          holder: broker.nodeID,
          onError: (_task, error) =>
            logger.warn("Passages of manuals that the index lacks could not be put into it; it is tried again", error),
        },
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
