import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { type Desk, type DeskEvent, type DeskSources, readAnswer, wrapSources } from "@partline/parts-desk";
import { raceAbort } from "@partline/toolkit";
import type { CallOrigin } from "@partline/moleculer-kit";
import { type CallContext, type Caller, getCaller } from "../../../broker/contract/context.ts";
import type { Params } from "@partline/api-contracts";
import { PartlineError } from "../../../mixins/errors.ts";
import type { aiContract } from "../contract.ts";
import { ANSWER_DEADLINE, DESK_BULKHEAD } from "../limits.ts";

type QueryContext = CallContext<Params<(typeof aiContract)["actions"]["query"]>>;

/** Maximum number of answers that one node streams while they are made. */
const MOST_STREAMS = DESK_BULKHEAD.concurrency;

/** The desk's actions. @param createSources what is looked up for a call, under its request id */
export function createDeskActions(desk: Desk, createSources: (origin: CallOrigin) => DeskSources) {
  /** Functions that end the answers being streamed, by their ids. */
  const streams = new Map<string, () => void>();

  const ask = (ctx: QueryContext, signal?: AbortSignal): AsyncGenerator<DeskEvent, void> => {
    const { query, about, include_store_link } = ctx.params;
    const sources = createSources(ctx);
    return desk.answer({
      query,
      about,
      includeStoreLink: include_store_link,
      sessionId: findConversationId(getCaller(ctx)),
      signal,
      sources: signal ? createAbandonableSources(sources, signal) : sources,
    });
  };

  return {
    query: (ctx: QueryContext) => readAnswer(ask(ctx)),
    /** Resolves with the first event, so that a question which cannot be answered is refused as any other. */
    async queryStream(ctx: QueryContext): Promise<Readable> {
      if (streams.size >= MOST_STREAMS)
        throw new PartlineError("SERVICE_UNAVAILABLE", "Too many answers are being streamed: try again in a moment");
      const abort = new AbortController();
      const id = ctx.meta.answerId ?? randomUUID();
      const events = ask(ctx, abort.signal);
      // Nobody may ever read the stream, or destroy it: its caller may have given up.
      const deadline = setTimeout(() => end(), ANSWER_DEADLINE).unref();
      const end = (): void => {
        clearTimeout(deadline);
        streams.delete(id);
        abort.abort();
        events.return().catch(() => undefined);
      };
      streams.set(id, end);
      try {
        const stream = Readable.from(forwardEvents(await events.next(), events, abort.signal));
        // A generator that was never begun has no end of its own.
        return stream.once("close", end);
      } catch (error) {
        end();
        throw error;
      }
    },

    abandon: (answerId: string) => streams.get(answerId)?.(),
    stop: () => streams.forEach((end) => end()),
  };
}

/** The same sources until their caller leaves: from then on each look-up fails, so that nothing more is looked up. */
function createAbandonableSources(sources: DeskSources, signal: AbortSignal): DeskSources {
  const createError = () => new PartlineError("SERVICE_UNAVAILABLE", "The caller no longer waits for this answer");
  return wrapSources(
    sources,
    (look) =>
      (...args) =>
        signal.aborted ? Promise.reject(createError()) : raceAbort(look(...args), signal, createError),
  );
}

/** Returns the guest's session, else the signed-in user: a guest who signs in goes on with the same conversation. */
function findConversationId({ sessionId, user }: Caller): string | undefined {
  return sessionId ?? (user && `user:${user.sub}`);
}

/** Forwards the events from the first on, until nobody waits for them. */
async function* forwardEvents(
  first: IteratorResult<DeskEvent, void>,
  events: AsyncGenerator<DeskEvent, void>,
  signal: AbortSignal,
): AsyncGenerator<DeskEvent, void> {
  for (let next = first; next.done !== true && !signal.aborted; next = await events.next())
    yield { event: next.value.event, data: next.value.data } as DeskEvent;
}
