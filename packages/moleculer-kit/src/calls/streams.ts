import { finished, pipeline, Readable, Transform, type TransformCallback } from "node:stream";
import type { Context, Middleware, ServiceBroker } from "moleculer";
import { CodedError } from "@partline/toolkit";
import { rules, type InferRules } from "@partline/api-contracts";
import {
  createOuterMiddleware,
  findTransit,
  type Handler,
  type IncomingStream,
  type InternalContext,
  type Transit,
} from "../internals.ts";

/** Plain event by which the receiver of a stream reports that its call is under way, and how much it has taken. */
export const TAKEN_EVENT = "stream.taken";
export const takenRules = rules({ call: { type: "string" }, bytes: { type: "number", integer: true, min: 0 } });
/** Bytes of one stream that are on their way, or have come and are not taken. */
const MOST_UNTAKEN = 2 * 1024 * 1024;
const REPORT_AFTER_BYTES = 256 * 1024;

/** Limits in turns of this node's event loop, so that its own stall does not count as another node's silence. */
interface StreamLimits {
  /** Between two reports of a receiver, as long as the call is under way. */
  turnMs: number;
  /**
   * A receiver gives up after this many turns without a piece. The gateway ends a body that its client stops sending in
   * half that time.
   */
  turnsWithoutPiece: number;
  /** The same if later pieces are here: NATS keeps the order, so the missing one is lost. */
  turnsBehindAGap: number;
  /** A sender gives up after this many turns without a report. */
  turnsWithoutWord: number;
  /** Between two looks for streams that no call reads; one that has not grown since is dropped. */
  turnsBetweenLooks: number;
}

const LIMITS: StreamLimits = {
  turnMs: 1_000,
  turnsWithoutPiece: 120,
  turnsBehindAGap: 10,
  turnsWithoutWord: 60,
  turnsBetweenLooks: 60,
};

/**
 * Adds what Moleculer's streams lack. They have no back-pressure: a slow reader buffers the whole stream, or NATS drops
 * its connection; here a sender is at most MOST_UNTAKEN ahead. A lost piece blocks them for ever without an error; here
 * neither side waits for ever, and a stream that breaks off never looks like one that ended. A call answered by a
 * stream stays open until an end that may be lost; here it ends when nobody reads it.
 */
export function createStreamsMiddleware(limits: StreamLimits = LIMITS): Middleware {
  /** Streams that are being sent, by call. */
  const outgoingStreams = new Map<string, PacedStream>();
  /** Calls under way here with a stream of another node. */
  const incomingCalls = new Set<string>();
  let broker: ServiceBroker;
  let looks: NodeJS.Timeout | undefined;

  const send = (ctx: InternalContext, stream: Readable, next: Handler): Promise<unknown> => {
    const paced = new PacedStream(stream);
    outgoingStreams.set(ctx.id, paced);
    const turns = setInterval(() => {
      if (paced.countSilentTurns() >= limits.turnsWithoutWord) findTransit(broker)!.removePendingRequest(ctx.id);
    }, limits.turnMs).unref();
    ctx.options = { ...ctx.options, stream: paced };
    return next(ctx).finally(() => {
      clearInterval(turns);
      outgoingStreams.delete(ctx.id);
      paced.finish();
    });
  };

  /** Begins at the arrival of the call, so that the sender also hears of one that waits in a bulkhead. */
  const take =
    (next: Handler): Handler =>
    (ctx) => {
      const { id, stream, nodeID } = ctx;
      if (!stream || stream.readableObjectMode || nodeID === null || nodeID === broker.nodeID) return next(ctx);
      const { counter, stop } = createCountedStream(
        stream,
        limits,
        (bytes) => void broker.emit(TAKEN_EVENT, { call: id, bytes }, { groups: [nodeID] }),
      );
      ctx.stream = counter as IncomingStream;
      incomingCalls.add(id);
      return next(ctx).finally(() => {
        incomingCalls.delete(id);
        stop();
      });
    };

  const createOuterHooks = (created: ServiceBroker) => {
    broker = created;
    const transit = findTransit(broker);
    if (!transit) return {};
    keepUntilItsEnd(transit);
    breakOff(transit);
    const onTaken = ({ params }: Context<InferRules<typeof takenRules>>): void =>
      outgoingStreams.get(params.call)?.acknowledge(params.bytes);
    broker.createService({
      name: "$streams",
      events: { [TAKEN_EVENT]: { group: broker.nodeID, params: takenRules, handler: onTaken } },
    });
    return { localAction: take };
  };

  return createOuterMiddleware("Streams", createOuterHooks, {
    starting: () => {
      const transit = findTransit(broker);
      if (transit)
        looks = setInterval(
          createAbandonedStreamDropper(transit, incomingCalls),
          limits.turnMs * limits.turnsBetweenLooks,
        ).unref();
    },
    stopped: () => clearInterval(looks),
    remoteAction:
      (next: Handler): Handler =>
      (ctx) => {
        const { stream } = ctx.options;
        return (stream === undefined || stream.readableObjectMode ? next(ctx) : send(ctx, stream, next)).then(
          (result) => {
            if (result instanceof Readable) finished(result, () => findTransit(broker)?.removePendingRequest(ctx.id));
            return result;
          },
        );
      },
  });
}

/**
 * Lets through what may be on its way. After the call it drains its source, so that the request can be answered, and
 * fails, so that the receiver does not take that for the end.
 */
class PacedStream extends Transform {
  readonly #source: Readable;
  #sent = 0;
  #taken = 0;
  #goOn: (() => void) | undefined;
  #silentTurns = 0;

  constructor(source: Readable) {
    super();
    this.#source = source;
    // Moleculer does not listen at first, nor at the end.
    this.on("error", () => undefined);
    finished(source, { writable: false }, (error) => error && this.destroy(error));
    source.pipe(this);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#sent += chunk.length;
    this.push(chunk);
    this.#goOn = done;
    this.#look();
  }

  /** @param bytes in all; a late report has fewer */
  acknowledge(bytes: number): void {
    this.#silentTurns = 0;
    this.#taken = Math.max(this.#taken, bytes);
    this.#look();
  }

  countSilentTurns(): number {
    return (this.#silentTurns += 1);
  }

  finish(): void {
    this.#source.unpipe(this);
    this.#source.on("error", () => undefined).resume();
    this.destroy(new CodedError("TIMEOUT", "The request ended before all of its body was sent"));
  }

  #look(): void {
    if (this.#sent - this.#taken >= MOST_UNTAKEN) return;
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }
}

/** Keeps the error of a stream that broke off before anybody reads it: Moleculer would lose it, or end the process. */
function breakOff(transit: Transit): void {
  const take = transit._handleIncomingRequestStream.bind(transit);
  transit._handleIncomingRequestStream = (packet) => {
    const stream = take(packet);
    if (stream) stream.on("error", (error: Error) => stream.destroy(error));
    return stream;
  };
}

/**
 * Keeps a failed call's stream known until its end: Moleculer would forget it, and store its later pieces as those of a
 * stream whose beginning is missing.
 */
function keepUntilItsEnd(transit: Transit): void {
  const forget = transit.removePendingRequest.bind(transit);
  transit.removePendingRequest = (id) => {
    const coming = transit.pendingReqStreams.get(id);
    forget(id);
    if (coming !== undefined) transit.pendingReqStreams.set(id, coming);
  };
}

/**
 * Drops streams without a call under way (it is over, or its first piece was lost) that have not grown since the last
 * look.
 */
function createAbandonedStreamDropper(transit: Transit, activeCalls: ReadonlySet<string>): () => void {
  let previousPositions = new Map<string, string>();
  return () => {
    const positions = new Map<string, string>();
    for (const [id, { stream }] of transit.pendingReqStreams) {
      if (activeCalls.has(id) || stream.readableObjectMode) continue;
      const position = `${stream.$prevSeq} ${stream.$pool.size}`;
      if (previousPositions.get(id) === position) transit.pendingReqStreams.delete(id);
      else positions.set(id, position);
    }
    previousPositions = positions;
  };
}

/** Returns the stream; it reports how much was taken until it is stopped, and fails if it no longer arrives. */
function createCountedStream(
  stream: IncomingStream,
  limits: StreamLimits,
  report: (bytes: number) => void,
): { counter: Readable; stop: () => void } {
  let takenBytes = 0;
  let reportedBytes = 0;
  let silentTurns = 0;
  let previousSeq = stream.$prevSeq;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      takenBytes += chunk.length;
      if (takenBytes - reportedBytes >= REPORT_AFTER_BYTES) report((reportedBytes = takenBytes));
      done(null, chunk);
    },
  });
  const giveUp = (message: string): void => void counter.destroy(new CodedError("TIMEOUT", message));
  const turn = (): void => {
    // A report may be lost.
    report((reportedBytes = takenBytes));
    const isBehindAGap = stream.$pool.size > 0;
    const isAwaited = !counter.writableEnded && (isBehindAGap || counter.readableLength === 0);
    silentTurns = isAwaited && stream.$prevSeq === previousSeq ? silentTurns + 1 : 0;
    previousSeq = stream.$prevSeq;
    if (silentTurns >= (isBehindAGap ? limits.turnsBehindAGap : limits.turnsWithoutPiece))
      giveUp("The stream stopped arriving");
  };
  const turns = setInterval(turn, limits.turnMs).unref();
  counter.on("error", () => undefined);
  pipeline(stream, counter, () => undefined);
  const stop = (): void => {
    clearInterval(turns);
    giveUp("The call that this came with is over");
  };
  return { counter, stop };
}
