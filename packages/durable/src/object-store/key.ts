import { ObjectStoreError, type ByteRange, type ObjectKey } from "./port.ts";

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const LONGEST_KEY = 512;
/** Segment of another system's key: not empty, not `..` or a file of the store's own, and without backslashes. */
const FOREIGN_SEGMENT = /^[^.\\\p{Cc}\p{Cs}][^\\\p{Cc}\p{Cs}]*$/u;
/** Bytes; S3 has the same. */
const LONGEST_FOREIGN_KEY = 1_024;

/** @throws BAD_KEY unless every system takes the name */
export function assertKey(key: ObjectKey): void {
  if (key.length > LONGEST_KEY || !key.split("/").every((segment) => SEGMENT.test(segment))) {
    throw new ObjectStoreError(
      "BAD_KEY",
      "The key is not segments of letters, digits, dots, underscores and dashes with slashes between them",
    );
  }
}

/**
 * Others' objects have names of their own. @throws BAD_KEY for a key that leads out of the store, or to its own files
 */
export function assertReadable(key: ObjectKey): void {
  if (
    Buffer.byteLength(key) > LONGEST_FOREIGN_KEY ||
    !key.split("/").every((segment) => FOREIGN_SEGMENT.test(segment))
  ) {
    throw new ObjectStoreError(
      "BAD_KEY",
      "The key is not segments with slashes between them, or one begins with a dot or has a backslash or a control character",
    );
  }
}

/** @throws BAD_KEY unless the prefix is a readable key, with or without a slash after it, or empty */
export function assertPrefix(prefix: string): void {
  if (prefix !== "") assertReadable(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix);
}

/** @throws BAD_RANGE for one that is no range of any object */
export function assertRange({ from, to }: ByteRange): void {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || to < from) throw createBadRange();
}

export function createBadRange(): ObjectStoreError {
  return new ObjectStoreError("BAD_RANGE", "The object has no such bytes");
}

export function createNoSuchObject(key: ObjectKey): ObjectStoreError {
  return new ObjectStoreError("NOT_FOUND", `There is no object ${key}`);
}
