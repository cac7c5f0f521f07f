import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { CallOrigin } from "../../broker/contract/call.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { linkBase } from "../../broker/settings/addresses.ts";
import { openEmbeddings } from "../../mixins/embeddings/open.ts";
import { watchProvider } from "../../broker/metrics/providers.ts";
import { call, implement } from "../contracts.ts";
import { createEndpointModel } from "./chat/endpoint-model.ts";
import { createTestChat } from "./chat/test-chat.ts";
import { aiContract } from "./contract.ts";
import { createDeliveryDays } from "./desk/delivery-days.ts";
import { createDeskActions } from "./desk/actions.ts";
import { createConversations } from "./desk/conversation.ts";
import { createDesk, type Desk, type DeskQuestion } from "./desk/desk.ts";
import type { DeskSources } from "./desk/port.ts";
import { createShopSources } from "./desk/shop.ts";
import { createFitmentAnswers } from "./fitment/answers.ts";
import { FitmentReader } from "../../mixins/fitment-index/reader.ts";
import { createLibrary } from "./library.ts";
import { createManualLinks } from "../shared/manual-links.ts";
import { createManualKnowledge } from "./manual-knowledge.ts";

/** Parts are told without their ids in the catalog where that takes longer; milliseconds. */
const CATALOG_DEADLINE = 2_000;
/** For telling the search service what a question was a search for; milliseconds. */
const RECORD_DEADLINE = 2_000;
/** Characters of a part number that the catalog is asked for. */
const LONGEST_NUMBER = 100;

export default function aiService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents } = serviceRuntimeOf(broker);
  const logger = broker.getLogger("ai");
  const reader = new FitmentReader(documents);
  const embeddings = openEmbeddings(settings.embeddings, watchProvider(broker, "embeddings"));
  const library = createLibrary(broker, { reader, embeddings });
  const links = createManualLinks(linkBase(settings, "gateway"));
  const fitment = createFitmentAnswers({
    reader,
    links,
    productIds: async (parts) => {
      if (parts.length === 0) return [];
      try {
        const items = parts.map(({ partNumber, vendor }) => ({
          productId: "",
          partNumber: partNumber.slice(0, LONGEST_NUMBER),
          manufacturer: vendor,
        }));
        return (await call(broker, "catalog.price", { items }, { timeout: CATALOG_DEADLINE })).items.map(
          ({ productId }) => productId,
        );
      } catch (error) {
        logger.debug("The catalog could not be asked which of its parts a manual names", error);
        return parts.map(() => undefined);
      }
    },
  });

  const chatWatch = watchProvider(broker, "chat-model");
  const chat = settings.chat && createEndpointModel(settings.chat, chatWatch.onFailure, chatWatch.watchCircuit);
  const onFailure = (what: string, error: unknown): void => logger.debug(what, error);
  const knowledge = createManualKnowledge({
    reader,
    passages: library.passages.search,
    onFailure,
    embeddings,
  });
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
  /** No answer waits for it, and it is told for nobody. */
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
      equipment: (ctx) => fitment.equipment(ctx.params),
      diagrams: (ctx) => fitment.diagrams(ctx.params),
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
