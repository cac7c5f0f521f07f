/**
 * The object store port: bytes under keys. `files/` is the embedded adapter, `s3/` any S3.
 *
 * A resolved write is durable and whole: also after kill -9 an object is the old one or the new one. Errors are
 * `ObjectStoreError`s, distinguished by `code`.
 */
import type { Readable } from "node:stream";

/**
 * Segments of letters, digits, `.`, `_` and `-` that do not begin with a dot, separated by `/`:
 * `manuals/3f…9a/source.pdf`. At most 512 characters. Objects of others are read, never written, under names without
 * backslashes and control characters, at most 1,024 bytes. No key may be the beginning of another (`a` and `a/b`): in
 * the embedded adapter a file would be a directory.
 */
export type ObjectKey = string;

export interface StoredObject {
  bytes: number;
  /** SHA-256 of the content, in lower-case hex. */
  sha256: string;
}

export interface ObjectFacts {
  key: ObjectKey;
  bytes: number;
  modifiedAt: Date;
}

/** Both ends are included, the first byte is 0; what is beyond the end of the object is left out. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface OpenObject {
  /** Size of the whole object, also for a range. */
  bytes: number;
  /** Destroy it if you do not read it to its end. */
  body: Readable;
}

export interface ObjectStore {
  /**
   * Writes an object as it arrives, in place of an existing one; a body that breaks off changes nothing.
   * @throws BAD_KEY, UNAVAILABLE, and what the body throws
   */
  put(key: ObjectKey, body: AsyncIterable<Uint8Array>, options?: { contentType?: string }): Promise<StoredObject>;
  /** @throws NOT_FOUND, BAD_RANGE (beyond the end), BAD_KEY, UNAVAILABLE; later failures are the body's error */
  get(key: ObjectKey, range?: ByteRange): Promise<OpenObject>;
  /** Undefined when there is none. @throws BAD_KEY, UNAVAILABLE */
  head(key: ObjectKey): Promise<ObjectFacts | undefined>;
  /** Succeeds too if there is none. @throws BAD_KEY, UNAVAILABLE */
  delete(key: ObjectKey): Promise<void>;
  /**
   * Objects whose key begins with the prefix (a key, or its beginning up to a slash), by key; those behind `after`,
   * which need not exist.
   * @throws BAD_KEY, UNAVAILABLE
   */
  list(prefix: string, after?: ObjectKey): AsyncIterable<ObjectFacts>;
  /**
   * Removes old remains of killed processes' uploads; an S3 does so by its own rules (AbortIncompleteMultipartUpload).
   * @throws UNAVAILABLE
   */
  removeAbandoned(): Promise<void>;
  ping(): Promise<void>;
  close(): void;
}

export type ObjectStoreErrorCode = "NOT_FOUND" | "BAD_KEY" | "BAD_RANGE" | "UNAVAILABLE";

export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
  readonly code: ObjectStoreErrorCode;

  constructor(code: ObjectStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function hasObjectStoreCode(error: unknown, ...codes: ObjectStoreErrorCode[]): error is ObjectStoreError {
  return error instanceof ObjectStoreError && codes.includes(error.code);
}
