import {
  createConversations,
  createDesk,
  createEndpointModel,
  type Desk,
  type DeskQuestion,
  type DeskSources,
} from "@partline/parts-desk";
import { Directories, FigureReader, FitmentReader } from "@partline/parts-search";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { type CallOrigin, watchProvider } from "@partline/moleculer-kit";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { linkBase } from "../../broker/settings/addresses.ts";
import { openEmbeddings } from "../../mixins/embeddings/open.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { call, implement } from "../contracts.ts";
import { createChatHealth } from "./desk/chat-health.ts";
import { createTestChat } from "./desk/test-chat.ts";
import { aiContract } from "./contract.ts";
import { createDeskActions } from "./desk/actions.ts";
import { createDeliveryDays } from "./sources/delivery-days.ts";
import { createShopSources } from "./sources/shop.ts";
import { createFitmentAnswers } from "./fitment/answers.ts";
import { createAskCatalog } from "./fitment/catalog-facts.ts";
import { createAskShop } from "./fitment/catalog-fitment.ts";
import { createMachineAnswers } from "./fitment/machines.ts";
import { createLibrary } from "./library.ts";
import { ANSWER_DEADLINE } from "./limits.ts";
import { createManualLinks } from "../shared/manual-links.ts";
import { createManualKnowledge } from "./sources/manuals.ts";

/** Timeout of recording a question as a search with the search service, milliseconds. */
const RECORD_DEADLINE = 2_000;

export default function aiService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents } = getServiceRuntime(broker);
  const logger = broker.getLogger("ai");
  const directories = new Directories(documents);
  const reader = new FitmentReader(documents, directories);
  const figures = new FigureReader(documents, directories);
  const embeddings = openEmbeddings(settings.embeddings, watchProvider(broker, "embeddings"));
  const library = createLibrary(broker, { reader, embeddings });
  const links = createManualLinks(linkBase(settings, "gateway"));
  const askCatalog = createAskCatalog(broker);
  const answerDeps = { reader, figures, links, askCatalog, askShop: createAskShop(broker) };

  const watched = watchProvider(broker, "chat-model");
  const chatHealth = settings.chat && createChatHealth(logger, settings.chat.model);
  const chat =
    settings.chat &&
    createEndpointModel(settings.chat, {
      onOutcome: (outcome) => {
        chatHealth?.onOutcome(outcome);
        if (outcome !== "answered") watched.onFailure(outcome.trouble);
      },
      onDialect: chatHealth?.onDialect,
      watchCircuit: watched.watchCircuit,
    });
  const onFailure = (what: string, error: unknown): void => logger.debug(what, error);
  const knowledge = createManualKnowledge({ reader, index: library.index, embeddings, onFailure });
  const estimateDays = createDeliveryDays(settings);
  const createSources = (origin: CallOrigin): DeskSources => ({
    ...knowledge,
    ...createShopSources(origin, onFailure, estimateDays),
  });
  const desk = createDesk({
    sources: createSources(broker),
    conversations: createConversations(documents, (error) =>
      logger.warn("A conversation with the desk was not kept", error),
    ),
    links,
    storeUrl: settings.storeUrl,
    getContact: () => settings.shop,
    chat,
    deadlineMs: ANSWER_DEADLINE,
    whenLate: () => new PartlineError("DATABASE_UNAVAILABLE", "The manuals could not be read in time"),
  });
  /** No answer waits for it, and it names no user. */
  const onSearch: DeskQuestion["onSearch"] = (search) => {
    call(broker, "search.recordSearch", search, { timeout: RECORD_DEADLINE }).catch((error: unknown) =>
      logger.debug("A question was not recorded as a search", error),
    );
  };
  const recordedDesk: Desk = { answer: (question) => desk.answer({ ...question, onSearch }) };
  const { query, queryStream, ...answering } = createDeskActions(recordedDesk, createSources);

  return implement(aiContract, {
    actions: {
      query,
      queryStream,
      health: () => ({ chat: chatHealth?.report() ?? null }),
      testChat: createTestChat({ desk, location: settings.chat, chat }),
      learnDocument: async (ctx) => {
        await library.learner.learnDocument(ctx.params);
        return {};
      },
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
        handler: (ctx) => answering.abandon((ctx.params as { answerId: string }).answerId),
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
