import type { DeskEvent } from "../desk/desk.ts";
import type { Evidence } from "../desk/finding/evidence.ts";
import type { FoundPart } from "../desk/facts.ts";
import type { DeskSources } from "../desk/sources/sources.ts";

/** What a model made of the facts: words that hold against them, or why there are none. */
export type Said =
  | { answer: string; parts: readonly FoundPart[]; evidence: Evidence }
  /** `reason` as an answer says it: `The chat model did not answer in time`. */
  | { reason: string; hasSpoken: boolean };

/** Puts facts into words. The composer needs none; any OpenAI-compatible endpoint may be one. */
export interface ChatModel {
  readonly name: string;
  /**
   * Pieces of the text as they are found to hold, then all of it. Never throws because of the model, and ends within
   * its time.
   */
  answer(evidence: Evidence, options: { sources: DeskSources; signal?: AbortSignal }): AsyncGenerator<DeskEvent, Said>;
  /** Whether it answers at all, asked now; why not, where it does not. */
  check(): Promise<{ ok: true } | { ok: false; reason: string }>;
}
