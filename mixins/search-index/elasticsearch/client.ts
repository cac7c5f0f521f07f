import { Client, HttpConnection } from "@elastic/elasticsearch";

/** What a reader waits for at most; a write or a refresh of many documents may take longer. Milliseconds. */
const READ_TIMEOUT_MS = 5_000;
const LONGEST_MS = 30_000;

/** Options of one request that somebody waits for. A lost connection is tried once more, a timeout is not. */
export const PROMPT = { requestTimeout: READ_TIMEOUT_MS, maxRetries: 1 } as const;

/** @param url may carry credentials; the client keeps them apart from the address, and out of its errors */
export function connect(url: string): Client {
  const { username, password } = new URL(url);
  const address = new URL(url);
  address.username = "";
  address.password = "";
  return new Client({
    node: address.href,
    // Of the client's two ways to a server the one that takes less of a processor for an answer of some kilobytes.
    Connection: HttpConnection,
    ...(username === ""
      ? {}
      : { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }),
    requestTimeout: LONGEST_MS,
    maxRetries: 2,
    redaction: { type: "remove" },
  });
}
