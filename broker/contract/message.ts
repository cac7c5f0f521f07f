/** Bytes of JSON that a list may have to fit a message of NATS (1 MiB by default) with what surrounds it. */
const LISTED_BYTES = 512 * 1024;

/** Returns as many first items as an answer holds, at least one. */
export function limitToMessage<T>(items: readonly T[], most = LISTED_BYTES): T[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => (bytes += Buffer.byteLength(JSON.stringify(item))) > most && index > 0);
  return end === -1 ? [...items] : items.slice(0, end);
}
