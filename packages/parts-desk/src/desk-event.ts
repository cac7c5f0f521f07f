import type { QueryResponse } from "./response.ts";

/**
 * What becomes of a question, in this order: pieces of the answer's text; at most once `restart`, which voids what came
 * before, and the text begins again; and `answer`, which ends it.
 */
export type DeskEvent =
  { event: "text"; data: { text: string } } | { event: "restart"; data: { reason: string } } | AnswerEvent;

export interface AnswerEvent {
  event: "answer";
  data: QueryResponse;
  /** Why the words are not the chat model's, if it was asked for some: for operators, in English. */
  modelFailure?: string;
}
