export { createConversations, CONVERSATIONS, type Conversations } from "./src/memory.ts";
export { createDesk, type Desk, type DeskQuestion, readAnswer, readAnswerEvent } from "./src/desk.ts";
export type { ShopContact } from "./src/texts.ts";
export type { DeskEvent } from "./src/desk-event.ts";
export {
  type AskedPart,
  type CatalogHit,
  type CatalogQuestion,
  type DeskSources,
  isSamePart,
  type ManualSources,
  NO_PAGE,
  type Offer,
  UNKNOWN_OFFER,
} from "./src/port.ts";
export { wrapSources } from "./src/source-wrappers.ts";
export type { Dialect } from "./src/chat/dialect.ts";
export { type ChatModel, createEndpointModel, MOST_TOKENS } from "./src/chat/endpoint-model.ts";
export { type ChatModelLocation, type ModelTrouble, TEMPERATURE } from "./src/chat/request.ts";
