import { errors } from "@elastic/elasticsearch";
import { createUnavailable } from "../search-index/port.ts";

export { createUnavailable };

/** An alias or index was removed by another process. */
export class IndexGoneError extends Error {
  override readonly name = "IndexGoneError";
}

/**
 * Statuses that end by themselves or by an operator: refused credentials, a blocked (403) or missing (404) index, an
 * overloaded, starting or headless server.
 */
const UNAVAILABLE = new Set([401, 403, 404, 408, 429, 502, 503, 504]);

/** Converts an error of the client. Its message and cause are dropped: they quote requests, and so documents. */
export function toIndexError(error: unknown): unknown {
  if (error instanceof IndexGoneError) return createUnavailable(error.message);
  if (!(error instanceof errors.ElasticsearchClientError)) return error;
  if (!(error instanceof errors.ResponseError)) return createUnavailable(error.name);
  return createError(getErrorType(error) ?? "error", error.statusCode ?? 0);
}

/** Runs a request unless the port is closed. @throws the error that `toIndexError` returns */
export async function askServer<T>(isClosed: boolean, task: () => Promise<T>): Promise<T> {
  if (isClosed) throw createUnavailable("it is closed");
  try {
    return await task();
  } catch (error) {
    throw toIndexError(error);
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof IndexGoneError || (error instanceof errors.ResponseError && error.statusCode === 404);
}

/** The server's memory or queues are full; it took nothing of the request. */
export function hasNoRoom(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 429;
}

/** @param type the server's name of the error, which quotes nothing */
export function createError(type: string, status: number): Error {
  if (UNAVAILABLE.has(status) || type === "index_closed_exception") return createUnavailable(`${type} (${status})`);
  return new Error(`Elasticsearch refused a request: ${type} (${status})`);
}

/** Returns a name such as `resource_already_exists_exception`. */
export function getErrorType(error: unknown): string | undefined {
  return error instanceof errors.ResponseError
    ? (error.body as { error?: { type?: string } } | undefined)?.error?.type
    : undefined;
}
