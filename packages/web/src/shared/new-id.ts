/** Nobody can guess it. On http from another machine there is no crypto.randomUUID. */
export function newId(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
