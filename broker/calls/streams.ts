import { finished, pipeline, Readable, Transform, type TransformCallback } from "node:stream";
import type { Context, Middleware, ServiceBroker } from "moleculer";
import { PartlineError } from "../../mixins/errors.ts";
import { rules, type InferRules } from "../contract/rules.ts";
import {
  middlewareOf,
  transitOf,
  type IncomingStream,
  type InternalContext,
  type Transit,
} from "../moleculer/internals.ts";

type Handler = (ctx: InternalContext) => Promise<unknown>;

/**
 * The plain event by which a node tells the one that sends it a stream that the call is under way, and how much was
 * taken of all that it was sent.
 */
export const TAKEN_EVENT = "stream.taken";
export const takenRules = rules({ call: { type: "string" }, bytes: { type: "number", integer: true, min: 0 } });
/** Of one stream, what is on its way, or has come and is not taken; bytes. */
const MOST_UNTAKEN = 2 * 1024 * 1024;
const TOLD_AFTER_BYTES = 256 * 1024;

/** Counted in turns of this node's own event loop, so that its own standstill is nobody else's silence. */
export interface StreamLimits {
  /** At each turn a receiver tells what was taken, for as long as the call is under way. */
  turnMs: number;
  /**
   * A receiver whose reader waits gives up when no piece has come for so long. The gateway ends what a client stops
   * sending in half that time.
   */
  turnsWithoutPiece: number;
  /** The same where what follows a piece is here: NATS keeps the order of packets, so that piece is lost. */
  turnsBehindAGap: number;
  /** A sender gives up when it has heard nothing of its receiver for so long. */
  turnsWithoutWord: number;
  /**
   * What is kept of a stream with no call under way is looked at so often, and dropped if nothing has come of it since.
   */
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
 * What Moleculer leaves open of streams between nodes. It sends one as fast as it comes: what is slower than its sender
 * would hold all of it in memory, and a NATS server drops the connection of who reads too slowly. Here a sender is no
 * further ahead than MOST_UNTAKEN. It keeps what is behind a lost piece for good, and tells nobody: here neither side
 * waits for ever, and a stream that breaks off never looks like one that ended. And the call whose answer is a stream
 * counts as open until the end comes, which may be lost: here it is over when nobody reads it any more.
 */
export function streamsMiddleware(limits: StreamLimits = LIMITS): Middleware {
  /** Streams that are being sent, by their calls. */
  const sent = new Map<string, PacedStream>();
  /** Calls with a stream of another node that are under way here. */
  const taken = new Set<string>();
  let broker: ServiceBroker;
  let looks: NodeJS.Timeout | undefined;

  const send = (ctx: InternalContext, stream: Readable, next: Handler): Promise<unknown> => {
    const paced = new PacedStream(stream);
    sent.set(ctx.id, paced);
    const turns = setInterval(() => {
      if (paced.turnsWithoutWord() >= limits.turnsWithoutWord) transitOf(broker)!.removePendingRequest(ctx.id);
    }, limits.turnMs).unref();
    ctx.options = { ...ctx.options, stream: paced };
    return next(ctx).finally(() => {
      clearInterval(turns);
      sent.delete(ctx.id);
      paced.over();
    });
  };

  /**
   * From when the call comes on, so that its sender hears of one that waits in a bulkhead too; until it ends, or its
   * time does, when nobody waits for what it would do with the rest.
   */
  const take =
    (next: Handler): Handler =>
    (ctx) => {
      const { id, stream, nodeID } = ctx;
      if (!stream || stream.readableObjectMode || nodeID === null || nodeID === broker.nodeID) return next(ctx);
      const { counter, stop } = counted(
        stream,
        limits,
        (bytes) => void broker.emit(TAKEN_EVENT, { call: id, bytes }, { groups: [nodeID] }),
      );
      ctx.stream = counter as IncomingStream;
      taken.add(id);
      return next(ctx).finally(() => {
        taken.delete(id);
        stop();
      });
    };

  const middleware = {
    name: "Streams",
    created: (created: ServiceBroker) => {
      broker = created;
      const transit = transitOf(broker);
      if (!transit) return;
      keepUntilItsEnd(transit);
      breakOff(transit);
      // Behind Moleculer's own middlewares and so wrapped around its bulkhead and its time limit.
      broker.middlewares.add(middlewareOf({ name: "IncomingStreams", localAction: take }));
      const hear = ({ params }: Context<InferRules<typeof takenRules>>): void =>
        sent.get(params.call)?.taken(params.bytes);
      broker.createService({
        name: "$streams",
        events: { [TAKEN_EVENT]: { group: broker.nodeID, params: takenRules, handler: hear } },
      });
    },
    starting: () => {
      const transit = transitOf(broker);
      if (transit)
        looks = setInterval(forsakenDropper(transit, taken), limits.turnMs * limits.turnsBetweenLooks).unref();
    },
    stopped: () => clearInterval(looks),
    remoteAction:
      (next: Handler): Handler =>
      (ctx) => {
        const { stream } = ctx.options;
        return (stream === undefined || stream.readableObjectMode ? next(ctx) : send(ctx, stream, next)).then(
          (result) => {
            if (result instanceof Readable) finished(result, () => transitOf(broker)?.removePendingRequest(ctx.id));
            return result;
          },
        );
      },
  };
  return middlewareOf(middleware);
}

/**
 * Lets through what may be on its way, and waits. When the call is over, what is left of its source is read to nowhere,
 * so that it can be answered; whoever reads on at the other end must not take that for the end, and is told that it
 * broke off.
 */
class PacedStream extends Transform {
  readonly #source: Readable;
  #sent = 0;
  #taken = 0;
  #goOn: (() => void) | undefined;
  #turnsWithoutWord = 0;

  constructor(source: Readable) {
    super();
    this.#source = source;
    // Until Moleculer listens, and when it does no more.
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

  /** @param bytes of all that was sent; what is told late tells less than is known */
  taken(bytes: number): void {
    this.#turnsWithoutWord = 0;
    this.#taken = Math.max(this.#taken, bytes);
    this.#look();
  }

  /** To be asked once a turn. */
  turnsWithoutWord(): number {
    return (this.#turnsWithoutWord += 1);
  }

  over(): void {
    this.#source.unpipe(this);
    this.#source.on("error", () => undefined).resume();
    this.destroy(new PartlineError("TIMEOUT", "The call that sent this was over before all of it was sent"));
  }

  #look(): void {
    if (this.#sent - this.#taken >= MOST_UNTAKEN) return;
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }
}

/**
 * The sender of a stream may tell that it broke off while nobody reads it here: whoever does later hears of it then.
 * Moleculer would lose that, or the process, and end the stream.
 */
function breakOff(transit: Transit): void {
  const take = transit._handleIncomingRequestStream.bind(transit);
  transit._handleIncomingRequestStream = (packet) => {
    const stream = take(packet);
    if (stream) stream.on("error", (error: Error) => stream.destroy(error));
    return stream;
  };
}

/**
 * With a call that failed, Moleculer forgets the stream that it came with, and would keep what still comes of that as
 * the middle of one whose beginning is yet to come. Here it is known until its end, or that of its sender.
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
 * Drops what no call is under way for (it is over, or never began because the first piece was lost) and of which
 * nothing has come since the last look.
 */
function forsakenDropper(transit: Transit, underWay: ReadonlySet<string>): () => void {
  let before = new Map<string, string>();
  return () => {
    const now = new Map<string, string>();
    for (const [id, { stream }] of transit.pendingReqStreams) {
      if (underWay.has(id) || stream.readableObjectMode) continue;
      const came = `${stream.$prevSeq} ${stream.$pool.size}`;
      if (before.get(id) === came) transit.pendingReqStreams.delete(id);
      else now.set(id, came);
    }
    before = now;
  };
}

/** The stream, which tells how much of it was taken until it is stopped, and fails where it ceases to come. */
function counted(
  stream: IncomingStream,
  limits: StreamLimits,
  tell: (bytes: number) => void,
): { counter: Readable; stop: () => void } {
  let taken = 0;
  let told = 0;
  let silentTurns = 0;
  let before = stream.$prevSeq;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      taken += chunk.length;
      if (taken - told >= TOLD_AFTER_BYTES) tell((told = taken));
      done(null, chunk);
    },
  });
  const giveUp = (message: string): void => void counter.destroy(new PartlineError("TIMEOUT", message));
  const turn = (): void => {
    // What was told may be lost.
    tell((told = taken));
    const isBehindAGap = stream.$pool.size > 0;
    const isAwaited = !counter.writableEnded && (isBehindAGap || counter.readableLength === 0);
    silentTurns = isAwaited && stream.$prevSeq === before ? silentTurns + 1 : 0;
    before = stream.$prevSeq;
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
