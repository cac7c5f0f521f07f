/**
 * Of what an answer lists, in bytes of JSON: with what travels around it, it fits a message of NATS (1 MiB unless an
 * operator says otherwise).
 */
const LISTED_BYTES = 512 * 1024;

/** The first items of a list, as many as an answer holds; at least one of those there are. */
export function fittingAMessage<T>(items: readonly T[]): T[] {
  let bytes = 0;
  const end = items.findIndex(
    (item, index) => (bytes += Buffer.byteLength(JSON.stringify(item))) > LISTED_BYTES && index > 0,
  );
  return end === -1 ? [...items] : items.slice(0, end);
}
