import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { CallOrigin } from "../../../broker/contract/call.ts";
import type { CallContext } from "../../../broker/contract/context.ts";
import { callerOf } from "../../../broker/contract/context.ts";
import type { Params } from "../../../broker/contract/define.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import type { aiContract } from "../contract.ts";
import { DESK_BULKHEAD } from "../limits.ts";
import type { DeskSources } from "./sources.ts";
import { lastAnswer, type Desk, type DeskEvent } from "./desk.ts";

type QueryContext = CallContext<Params<(typeof aiContract)["actions"]["query"]>>;

/** Answers of one node that are told while they are made. */
const MOST_STREAMS = DESK_BULKHEAD.concurrency;

/** The desk's actions. @param sourcesFor what is looked up for a call, under its request id */
export function deskActions(desk: Desk, sourcesFor: (origin: CallOrigin) => DeskSources) {
  /** What ends the answers that are being told, by their ids. */
  const streams = new Map<string, AbortController>();

  const ask = (ctx: QueryContext, signal?: AbortSignal): AsyncGenerator<DeskEvent, void> => {
    const { query, include_store_link } = ctx.params;
    return desk.answer({ query, includeStoreLink: include_store_link, sessionId: callerOf(ctx).sessionId, signal, sources: sourcesFor(ctx) });
  };

  return {
    query: (ctx: QueryContext) => lastAnswer(ask(ctx)),

    /** Resolves with the first event, so that a question which cannot be answered is refused as any other. */
    async queryStream(ctx: QueryContext): Promise<Readable> {
      if (streams.size >= MOST_STREAMS) throw new PartlineError("SERVICE_UNAVAILABLE", "Too many answers are being told: try again in a moment");
      const abort = new AbortController();
      const id = ctx.meta.answerId ?? randomUUID();
      streams.set(id, abort);
      const close = (): void => void streams.delete(id);
      const events = ask(ctx, abort.signal);
      let first: IteratorResult<DeskEvent, void>;
      try {
        first = await events.next();
      } catch (error) {
        close();
        throw error;
      }
      return Readable.from(told(first, events, { abort, close }));
    },

    abandoned(answerId: string): void {
      streams.get(answerId)?.abort();
    },

    stop(): void {
      for (const abort of streams.values()) abort.abort();
    },
  };
}

/** The events from the first on. A reader that leaves ends what makes them. */
async function* told(first: IteratorResult<DeskEvent, void>, events: AsyncGenerator<DeskEvent, void>, { abort, close }: { abort: AbortController; close(): void }): AsyncGenerator<DeskEvent, void> {
  try {
    for (let next = first; next.done !== true && !abort.signal.aborted; next = await events.next()) yield { event: next.value.event, data: next.value.data } as DeskEvent;
  } finally {
    abort.abort();
    await events.return();
    close();
  }
}
