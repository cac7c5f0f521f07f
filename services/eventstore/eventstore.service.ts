import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import { type Appended, type EventLog, hasEventLogCode, type NewEvent, openEventLog } from "@partline/durable";
import { getRemainingMs } from "@partline/moleculer-kit";
import { createId } from "../../broker/contract/context.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { LEXICAL } from "../../mixins/embeddings/port.ts";
import { invalidField, notFound, PartlineError, validationFailed } from "../../mixins/errors.ts";
import { call, enqueue, implement } from "../contracts.ts";
import { createAnnouncer } from "./announcer.ts";
import { eventstoreContract } from "./contract.ts";
import { settleDocument, storeDocuments, toDocumentId } from "./documents.ts";
import { createOperatorActions } from "./operators/handlers.ts";
import { createRecorders } from "./recorded.ts";
import { createReserved } from "./reserved.ts";
import { Snapshots } from "./snapshots.ts";
import { foldAggregate } from "./state.ts";

const STREAMED_AT_ONCE = 100;
/** For the desk to learn a document, milliseconds. */
const LEARNING_MS = 20_000;
/** Time after which a document has been recorded, or its process died; milliseconds. */
const RECORDED_MS = 30_000;
const SETTLING = "eventstore.document";

/** Creates a signal that aborts, with a TIMEOUT as its reason, when the caller waits no longer. */
function createCallSignal(ctx: Pick<Context, "options" | "startHrTime">): AbortSignal {
  const over = new AbortController();
  const left = getRemainingMs(ctx);
  const abort = (): void => over.abort(new PartlineError("TIMEOUT", "The state could not be folded in time"));
  if (left < Infinity) setTimeout(abort, left).unref();
  return over.signal;
}

export default function eventstoreService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels, tasks, events: durableEvents } = getServiceRuntime(broker);
  const { assertIdNotReserved, assertNotReserved } = createReserved(durableEvents);
  const announcer = createAnnouncer((position) => void broker.broadcast("eventstore.appended", { position }));
  const snapshots = new Snapshots();
  let opened: EventLog | undefined;
  const log = (): EventLog => {
    if (!opened) throw new PartlineError("SERVICE_UNAVAILABLE", "The event store is not open");
    return opened;
  };
  const append = async (event: NewEvent): Promise<Appended> => {
    const appended = await log().appendToStream(event);
    if (appended.recorded) announcer.noteAppended(appended.position);
    return appended;
  };
  /**
   * Refuses a position beyond the end. It is asked after the page was read: another node may have announced what came
   * meanwhile.
   */
  const refuseBeyondTheEnd = async (after: number): Promise<void> => {
    if (after === 0) return;
    const head = await log().head(after);
    if (after > head) throw createBeyondEndError(head);
  };
  const events = { findLast: (id: string) => log().lastOfStream(id), append };
  const enqueueSettling = async (id: string, when: "now" | "later"): Promise<void> => {
    const dueAt = new Date(Date.now() + (when === "now" ? 0 : RECORDED_MS));
    await documents.atomically([enqueue(SETTLING, id, { id }, { dueAt })]);
    if (when === "now") tasks.wake();
  };
  const model = settings.embeddings?.model ?? LEXICAL;
  const refuse = (error: unknown): never => {
    throw toRefusal(error);
  };
  return implement(eventstoreContract, {
    actions: {
      store: async ({ meta, params }) => {
        if (meta.caller) {
          for (const [index, { content, metadata = {} }] of params.documents.entries())
            assertIdNotReserved(`documents[${index}].metadata.id`, toDocumentId(content, metadata));
        }
        return storeDocuments(params.documents, { log: events, model, enqueueSettling }).catch(refuse);
      },
      append: async (ctx) => {
        const { event_id = createId(ctx), expected_version, ...event } = ctx.params;
        // A caller came through the gateway.
        if (ctx.meta.caller) assertNotReserved({ ...event, event_id });
        const expected = expected_version === undefined ? {} : { expected_version: Math.max(0, expected_version) };
        const newEvent = { ...event, ...expected, event_id, timestamp: new Date() };
        const { recorded: _, ...appended } = await append(newEvent).catch(refuse);
        return appended;
      },
      list: async ({ params: { after, limit, ...filter } }) => {
        const events = await log().readAll(filter, { after, limit });
        if (events.length === 0) await refuseBeyondTheEnd(after);
        return { events };
      },
      tail: async ({ params: { after, ...filter } }) => {
        if (after === undefined) return { events: [], after: await log().head() };
        const events = await log().readAll(filter, { after, limit: STREAMED_AT_ONCE });
        if (events.length === 0) await refuseBeyondTheEnd(after);
        // Never a head read separately: around an election it may be newer than the events, and skip some.
        return { events, after: events.at(-1)?.position ?? after };
      },
      state: async (ctx) => {
        const { aggregate_id, at_time } = ctx.params;
        const now = new Date();
        const moment = at_time && at_time < now ? at_time : undefined;
        const aggregate = await foldAggregate(log(), snapshots, aggregate_id, moment, createCallSignal(ctx));
        if (!aggregate) throw notFound("Aggregate", aggregate_id);
        return { aggregate_id, version: aggregate.version, state: aggregate.state, as_of: moment ?? now };
      },
      stats: (ctx) => log().stats(ctx.params),
      head: async ({ params: { known } }) => ({ position: await log().head(known) }),
      readStream: async ({ params: { aggregate_id, ...options } }) => ({
        events: await log().readStream(aggregate_id, options),
      }),
      ready: async () => {
        await log().ping();
        return {};
      },
      health: async () => {
        const [{ status }] = await Promise.allSettled([log().ping()]);
        return { data_management: { event_sourcing_ready: status === "fulfilled" } };
      },
      ...createOperatorActions({ channels, tasks, events: durableEvents }),
    },
    channels: createRecorders(durableEvents, append),
    tasks: {
      [SETTLING]: {
        run: ({ id }) =>
          settleDocument(id, events, {
            learn: async (document) => {
              await call(broker, "ai.learnDocument", document, { timeout: LEARNING_MS });
            },
            forget: async (document) => {
              await call(broker, "ai.forgetDocument", document);
            },
          }),
      },
    },
    started: async () => {
      opened = await openEventLog({ mongoUrl: settings.mongoUrl, dataDir: settings.dataDir, logger: broker.logger });
    },
    stopped: async () => {
      announcer.stop();
      await opened?.close();
      opened = undefined;
    },
  });
}

/** Returns the answer to an append that the log refused; other errors as they are. */
function toRefusal(error: unknown): unknown {
  if (hasEventLogCode(error, "VERSION_CONFLICT"))
    return new PartlineError("VERSION_CONFLICT", error.message, { actual_version: error.actualVersion });
  if (hasEventLogCode(error, "OTHER_TYPE"))
    return validationFailed({ field: "aggregate_type", message: error.message });
  if (hasEventLogCode(error, "TOO_LARGE")) return validationFailed({ field: "data", message: error.message });
  return error;
}

/** Creates the error of a position beyond the end: a reader of events that are gone would wait for ever. */
function createBeyondEndError(head: number): PartlineError {
  const which = "(of a stream, the Last-Event-ID header too)";
  return invalidField("after", `${which} must not be beyond the newest event, whose position is ${head}`);
}
