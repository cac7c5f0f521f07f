/**
 * The object store port: bytes under keys. `files/` is the embedded adapter, `s3/` any S3; `test/contract/object-store`
 * runs on both.
 *
 * A resolved write is durable and whole: an object is what it was before, or all of the new one, also after kill -9.
 * Errors are `ObjectStoreError` and are told apart by `code`.
 */
import type { Readable } from "node:stream";

/**
 * Segments of letters, digits, `.`, `_` and `-` that do not begin with a dot, with `/` between them:
 * `manuals/3f…9a/source.pdf`. At most 512 characters. What others have put into the store is read, and never written,
 * under names of any characters but backslashes and control characters, at most 1,024 bytes. A key that is the
 * beginning of another (`a` and `a/b`) is for the embedded adapter a file that would be a directory: whoever names
 * objects sees to it that there is none.
 */
export type ObjectKey = string;

export interface StoredObject {
  /** Length. */
  bytes: number;
  /** Of the content, in lower-case hex. */
  sha256: string;
}

export interface ObjectFacts {
  key: ObjectKey;
  bytes: number;
  modifiedAt: Date;
}

/** Both ends are part of it, the first byte is 0; what is beyond the end of the object is left out. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface OpenObject {
  /** Of the whole object, whatever the range. */
  bytes: number;
  /** Destroy it when it is not read to its end. */
  body: Readable;
}

export interface ObjectStore {
  /** What the start table calls it. */
  readonly backend: "files" | "s3";
  /**
   * Writes an object as it arrives, in place of one that is there; a body that breaks off leaves the store as it was.
   * @throws BAD_KEY, UNAVAILABLE, and what the body throws
   */
  put(key: ObjectKey, body: AsyncIterable<Uint8Array>, options?: { contentType?: string }): Promise<StoredObject>;
  /**
   * @throws NOT_FOUND, BAD_RANGE (it begins beyond the end of the object), BAD_KEY, UNAVAILABLE; what breaks off later
   * is the body's error
   */
  get(key: ObjectKey, range?: ByteRange): Promise<OpenObject>;
  /** Undefined when there is none. @throws BAD_KEY, UNAVAILABLE */
  head(key: ObjectKey): Promise<ObjectFacts | undefined>;
  /** Whether it was there or not. @throws BAD_KEY, UNAVAILABLE */
  delete(key: ObjectKey): Promise<void>;
  /**
   * Objects whose key begins with the prefix (a key, or a key's beginning up to a slash), in the order of their keys.
   * @throws BAD_KEY, UNAVAILABLE
   */
  list(prefix: string): AsyncIterable<ObjectFacts>;
  /**
   * Removes what killed processes have left of objects that arrived, so long ago that nobody writes it any more. Of an
   * S3 its own rules do (AbortIncompleteMultipartUpload). @throws UNAVAILABLE
   */
  removeAbandoned(): Promise<void>;
  /** @throws UNAVAILABLE */
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

/** Whether an error is an object store's, with one of these codes. */
export function hasObjectStoreCode(error: unknown, ...codes: ObjectStoreErrorCode[]): error is ObjectStoreError {
  return error instanceof ObjectStoreError && codes.includes(error.code);
}
