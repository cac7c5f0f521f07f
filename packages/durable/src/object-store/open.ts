import { join } from "node:path";
import { openFilesStore } from "./files/files-store.ts";
import { hasObjectStoreCode, type ObjectKey, type ObjectStore } from "./port.ts";
import type { S3Location } from "./s3/bucket.ts";

export interface ObjectStoreOptions {
  /** Location of an S3; without it, the store is files. */
  s3?: S3Location;
  /** The embedded store is in its folder `objects`. */
  dataDir: string;
}

/** @throws UNAVAILABLE; of an S3, the message names the setting */
export async function openObjectStore({ s3, dataDir }: ObjectStoreOptions): Promise<ObjectStore> {
  if (s3 === undefined) return openFilesStore(join(dataDir, "objects"));
  // Loaded on demand: a start with files does not pay for the client.
  const { openS3Store } = await import("./s3/s3-store.ts");
  return openS3Store(s3);
}

/** The bytes of an object, or of a part of it, in memory: for small ones. @throws as `get`; what breaks off */
export async function readObject(
  store: Pick<ObjectStore, "get">,
  ...args: Parameters<ObjectStore["get"]>
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await store.get(...args)).body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The value of a JSON object; undefined if there is none. @throws as `readObject` otherwise; SyntaxError */
export async function readJsonObject<T>(store: Pick<ObjectStore, "get">, key: ObjectKey): Promise<T | undefined> {
  try {
    return JSON.parse((await readObject(store, key)).toString()) as T;
  } catch (error) {
    if (hasObjectStoreCode(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
