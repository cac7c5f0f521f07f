import { finished, pipeline, Readable, Transform, type TransformCallback } from "node:stream";
import type { Context, Middleware, ServiceBroker } from "moleculer";
import { rules, type InferRules } from "../contract/rules.ts";

type Handler = (ctx: StreamingContext) => Promise<unknown>;

/** What we use of a Moleculer context; its declarations leave these out. */
type StreamingContext = Omit<Context, "options" | "stream"> & { options: { stream?: Readable }; stream?: Readable };

/** What we use of Moleculer's transit; its declarations leave the streams out. */
interface Transit {
  /** Those that come in, by their calls. */
  pendingReqStreams: Map<string, unknown>;
  removePendingRequest(id: string): void;
}

/** The plain event by which a node tells the one that sends it a stream how much of it was taken, of all that it was sent. */
const TAKEN_EVENT = "stream.taken";
const takenRules = rules({ call: { type: "string" }, bytes: { type: "number", integer: true, min: 0 } });
/** Of one stream, what is on its way, or has come and is not taken; bytes. */
const MOST_UNTAKEN = 2 * 1024 * 1024;
const TOLD_AFTER_BYTES = 256 * 1024;
/** What was told may be lost, so it is told again; milliseconds. */
const TOLD_AFTER_MS = 1_000;

/**
 * What Moleculer leaves open of streams between nodes. It sends one as fast as it comes: what is slower than its sender would hold all of it in memory, and a NATS
 * server drops the connection of who reads too slowly. Here a sender is no further ahead than MOST_UNTAKEN. And the call whose answer is a stream counts as
 * open until the end comes, which may be lost: here it is over when nobody reads it any more.
 */
export function streamsMiddleware(): Middleware {
  /** Streams that are being sent, by their calls. */
  const sent = new Map<string, PacedStream>();
  let broker: ServiceBroker;

  const send = (ctx: StreamingContext, stream: Readable, next: Handler): Promise<unknown> => {
    const paced = new PacedStream();
    sent.set(ctx.id, paced);
    pipeline(stream, paced, () => undefined);
    ctx.options = { ...ctx.options, stream: paced };
    return next(ctx).finally(() => {
      sent.delete(ctx.id);
      paced.over();
    });
  };

  const middleware = {
    name: "Streams",
    created: (created: ServiceBroker) => {
      broker = created;
      if (!broker.transit) return;
      keepUntilItsEnd(broker.transit as unknown as Transit);
      const taken = { group: broker.nodeID, params: takenRules, handler: ({ params }: Context<InferRules<typeof takenRules>>) => sent.get(params.call)?.taken(params.bytes) };
      broker.createService({ name: "$streams", events: { [TAKEN_EVENT]: taken } });
    },
    remoteAction: (next: Handler): Handler => (ctx) => {
      const { stream } = ctx.options;
      return (stream === undefined || stream.readableObjectMode ? next(ctx) : send(ctx, stream, next)).then((result) => {
        if (result instanceof Readable) finished(result, () => broker.transit?.removePendingRequest(ctx.id));
        return result;
      });
    },
    localAction: (next: Handler): Handler => (ctx) => {
      const { stream, nodeID } = ctx;
      if (!stream || stream.readableObjectMode || nodeID === null || nodeID === broker.nodeID) return next(ctx);
      const { counter, stop } = counted(stream, (bytes) => void broker.emit(TAKEN_EVENT, { call: ctx.id, bytes }, { groups: [nodeID] }));
      ctx.stream = counter;
      return next(ctx).finally(stop);
    },
  };
  return middleware as unknown as Middleware;
}

/** Lets through what may be on its way, and waits. What comes when the call is over is read to nowhere, so that it can be answered. */
class PacedStream extends Transform {
  #sent = 0;
  #taken = 0;
  #goOn: (() => void) | undefined;
  #isOver = false;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#isOver) {
      done();
      return;
    }
    this.#sent += chunk.length;
    this.push(chunk);
    this.#goOn = done;
    this.#look();
  }

  /** @param bytes of all that was sent; what is told late tells less than is known */
  taken(bytes: number): void {
    this.#taken = Math.max(this.#taken, bytes);
    this.#look();
  }

  over(): void {
    this.#isOver = true;
    this.#taken = Infinity;
    this.#look();
  }

  #look(): void {
    if (this.#sent - this.#taken >= MOST_UNTAKEN) return;
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }
}

/**
 * With a call that failed, Moleculer forgets the stream that it came with, and would keep what still comes of that for good, as the middle of one whose beginning
 * is yet to come. Here it is known until its end, or that of its sender.
 */
function keepUntilItsEnd(transit: Transit): void {
  const forget = transit.removePendingRequest.bind(transit);
  transit.removePendingRequest = (id) => {
    const coming = transit.pendingReqStreams.get(id);
    forget(id);
    if (coming !== undefined) transit.pendingReqStreams.set(id, coming);
  };
}

/** The stream, which tells how much of it was taken until it is stopped: then it is read to nowhere. */
function counted(stream: Readable, tell: (bytes: number) => void): { counter: Readable; stop: () => void } {
  let taken = 0;
  let told = 0;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      taken += chunk.length;
      if (taken - told >= TOLD_AFTER_BYTES) tell((told = taken));
      done(null, chunk);
    },
  });
  const again = setInterval(() => tell((told = taken)), TOLD_AFTER_MS).unref();
  pipeline(stream, counter, () => clearInterval(again));
  const stop = (): void => {
    clearInterval(again);
    counter.resume();
  };
  return { counter, stop };
}
