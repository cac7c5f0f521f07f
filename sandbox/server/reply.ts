export type Reply = {
  status: number;
  headers?: Record<string, string>;
  /** An iterable is streamed, and ended if the client leaves. */
  body?: string | Uint8Array | AsyncIterable<string>;
};

export function jsonReply(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Reply & { body: string } {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: `${JSON.stringify(value, null, 2)}\n`,
  };
}

export function redirectReply(location: string): Reply {
  return { status: 303, headers: { location, "cache-control": "no-store" } };
}
