import { Client, HttpConnection } from "@elastic/elasticsearch";

/** Milliseconds. A write or a refresh of many documents may take longer than a read. */
const READ_TIMEOUT_MS = 5_000;
const LONGEST_MS = 30_000;

/** Options of a request with a caller who waits. It is repeated after a lost connection, not after a timeout. */
export const PROMPT = { requestTimeout: READ_TIMEOUT_MS, maxRetries: 1 } as const;

/** @param url may carry credentials; the client keeps them out of its errors */
export function connect(url: string): Client {
  const { username, password } = new URL(url);
  const address = new URL(url);
  address.username = "";
  address.password = "";
  return new Client({
    node: address.href,
    // Takes less processor time than the client's other connection, for answers of some kilobytes.
    Connection: HttpConnection,
    ...(username === ""
      ? {}
      : { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }),
    requestTimeout: LONGEST_MS,
    maxRetries: 2,
    redaction: { type: "remove" },
  });
}
