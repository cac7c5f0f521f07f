/** What a handler answers with. */
export type Reply = {
  status: number;
  headers?: Record<string, string>;
  /** What comes piece by piece is sent so; its iterator is ended when the caller leaves. */
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
