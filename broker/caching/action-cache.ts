import { createHash } from "node:crypto";
import { Errors, type Context, type ServiceBroker } from "moleculer";
import type { Cache, Claim, Look } from "../../mixins/cache/port.ts";
import { errorCode } from "../../mixins/errors.ts";
import { remainingMs } from "../calls/deadline.ts";
import type { CacheSource } from "../contract/define.ts";
import { LabelledCounter } from "../metrics/labelled-counter.ts";
import { PacketSerializer } from "../serializer.ts";

/** An action whose answers are kept. */
export interface CachedAction {
  name: string;
  sources: readonly CacheSource[];
  ttlMs: number;
  /** Of its contract: versions of the code between which that differs do not read each other's answers. */
  shape: string;
}

export type CacheResult = "hit" | "miss" | "error";

interface OfOthers {
  bytes?: Buffer;
  claim?: Claim;
}

/** Over nodes, who makes an answer has this long before others make it too; milliseconds. */
const CLAIM_MS = 1_000;
/** How long one of the others waits for it, and how often it looks. */
const LONGEST_WAIT_MS = 250;
const LOOK_AGAIN_MS = 20;

/** The plain event by which processes without a Redis tell each other of a change. */
export const CACHE_CHANGED = "cache.changed";

/** Keeps answers of actions, makes each once at a time, and asks the action itself where the cache cannot be asked. */
export class ActionCache {
  readonly #broker: ServiceBroker;
  readonly #cache: Cache;
  readonly #version: string;
  readonly #serializer = new PacketSerializer();
  readonly #underWay = new Map<string, Promise<Buffer>>();
  readonly #told = new Set<CacheSource>();
  #changes = 0;
  readonly requests = new LabelledCounter(
    "partline_cache_requests_total",
    "Calls of actions whose answers are kept: hit, miss, or error where the cache could not be asked",
  );

  /** @param version of the code */
  constructor(broker: ServiceBroker, cache: Cache, version: string) {
    this.#broker = broker;
    this.#cache = cache;
    this.#version = version;
  }

  /** What the action answers to these params, as a copy of the caller's own. */
  async answer<T>(
    action: CachedAction,
    ctx: Context<unknown, object>,
    make: (ctx: Context<unknown, object>) => Promise<T>,
  ): Promise<T> {
    const key = keyOf(action, this.#version, ctx.params);
    // Where it cannot be had, nothing is kept, and one process still makes an answer once at a time.
    const look = await this.#cache.look(key, action.sources).catch(() => undefined);
    this.#count(action, !look ? "error" : look.bytes ? "hit" : "miss");
    if (look?.bytes) return this.#read<T>(look.bytes);
    // What began before the sources changed is not shared with those who came after.
    const flight = `${key} ${look ? look.version : `without ${this.#changes}`}`;
    for (let leader = this.#underWay.get(flight); leader; leader = this.#underWay.get(flight)) {
      const shared = await leader.catch(orNothing);
      if (shared) return this.#read<T>(shared);
      if (remainingMs(ctx) <= 0)
        throw new Errors.RequestSkippedError({ action: action.name, nodeID: this.#broker.nodeID });
    }
    const making = this.#make(action, key, look, () => make(forNobody(ctx))).finally(() =>
      this.#underWay.delete(flight),
    );
    this.#underWay.set(flight, making);
    return this.#read<T>(await making);
  }

  /**
   * To be awaited before anybody is told of the change: whoever calls this process afterwards gets no answer that was made before it, and with Redis
   * whoever calls any. Without Redis, the others hear of it within moments. Never fails.
   */
  async changed(source: CacheSource): Promise<void> {
    this.#changes += 1;
    try {
      await this.#cache.changed(source);
    } catch {
      // What Redis does not take now, it is told when it is back.
    }
    if (this.#cache.backend === "memory") {
      this.#told.add(source);
      await this.#tell(source);
    }
  }

  /** A process has told of a change. */
  async heard(source: string, nodeID: string | null): Promise<void> {
    if (this.#cache.backend === "memory" && nodeID !== this.#broker.nodeID) await this.#cache.changed(source);
  }

  /** This process was away from the others: what either has told meanwhile may be lost. */
  rejoined(): void {
    this.#cache.forget();
    this.tellAgain();
  }

  /** Others may not have heard what this process told. Nobody waits for it. */
  tellAgain(): void {
    for (const source of this.#told) void this.#tell(source);
  }

  async #tell(source: CacheSource): Promise<void> {
    await this.#broker.broadcast(CACHE_CHANGED, { source }).catch(() => undefined);
  }

  async #make(
    action: CachedAction,
    key: string,
    look: Look | undefined,
    make: () => Promise<unknown>,
  ): Promise<Buffer> {
    const { bytes: ofOthers, claim }: OfOthers = look ? await this.#ofOthers(action, key, look) : {};
    if (ofOthers) return ofOthers;
    // Nobody waits for the claim to end: the others look no longer for what does not come.
    const giveUp = (): void => void claim?.release().catch(() => undefined);
    try {
      const bytes = this.#serializer.serialize(await make());
      // Nobody waits for it to be kept.
      if (look)
        this.#cache.keep(key, look, bytes, action.ttlMs).then((isKept) => {
          if (!isKept) giveUp();
        }, giveUp);
      return bytes;
    } catch (error) {
      giveUp();
      throw error;
    }
  }

  /** What another process makes at this moment, where one does and it does not take long; otherwise, where it can be had, the claim to make it. */
  async #ofOthers({ sources }: CachedAction, key: string, { version }: Look): Promise<OfOthers> {
    try {
      const claimed = `${key}:${version}`;
      for (const deadline = performance.now() + LONGEST_WAIT_MS; performance.now() < deadline;) {
        const claim = await this.#cache.claim(claimed, CLAIM_MS);
        if (claim) return { claim };
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
        const look = await this.#cache.look(key, sources);
        if (look.version !== version) return {};
        if (look.bytes) return { bytes: look.bytes };
      }
    } catch {
      // Without the cache, each makes its own.
    }
    return {};
  }

  #read<T>(bytes: Buffer): T {
    return this.#serializer.deserialize(bytes) as T;
  }

  #count({ name }: CachedAction, result: CacheResult): void {
    this.requests.add({ action: name, result });
  }
}

/** An answer of ours that refuses is everybody's. Any other failure is the caller's who made it: that call may have had less time, or been given up. */
function orNothing(error: unknown): undefined {
  if (errorCode(error) !== undefined) throw error;
}

/** Of the validated params, in whatever order they came. What was searched for is not to be read from Redis's keys. */
function keyOf({ name, shape }: CachedAction, version: string, params: unknown): string {
  return `${name}:${createHash("sha256")
    .update(JSON.stringify([version, shape, sorted(params)]))
    .digest("base64url")}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, held]) => [key, sorted(held)]),
  );
}

/** The same call without its caller: what is given to everybody is made for nobody, also by the actions that are called on the way. */
function forNobody(ctx: Context<unknown, object>): Context<unknown, object> {
  return Object.create(ctx, { meta: { value: {} }, headers: { value: {} } }) as Context<unknown, object>;
}
