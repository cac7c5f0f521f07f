/**
 * The cache port: bytes that can be had again, kept for a while. `memory.ts` keeps them in this process, `redis.ts` for all processes of
 * a system; `test/contract/cache` runs on both.
 *
 * What is kept was made from sources. Each source has a version, which changes with it: bytes are found as long as all of their sources have
 * the versions that they had when they were looked for and not found, before they were made. So what was read before a change and kept after it is never found.
 *
 * All operations @throws RedisUnavailable where the bytes are in Redis and that is away.
 */
export interface Cache {
  readonly backend: "memory" | "redis";
  look(key: string, sources: readonly string[]): Promise<Look>;
  /** Keeps what was made since that look. Whether it does: not what is too large. */
  keep(key: string, look: Look, bytes: Buffer, ttlMs: number): Promise<boolean>;
  /** Whoever looks after this has resolved does not find what was made from the source before. */
  changed(source: string): Promise<void>;
  /** A claim to the key for this time, where nobody has one; all may go on who are given one. */
  claim(key: string, milliseconds: number): Promise<Claim | undefined>;
  /** Forgets all that is kept in this process. */
  forget(): void;
}

export interface Claim {
  /** Ends it before its time; one that is over already, and another's by now, stays that other's. */
  release(): Promise<void>;
}

export interface Look {
  bytes?: Buffer;
  /** Of the sources. */
  version: string;
}

/** More bytes than this are not kept under one key. */
export const MOST_BYTES = 512 * 1024;
