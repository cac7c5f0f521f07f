import { errors } from "@elastic/elasticsearch";
import { SearchIndexError } from "../port.ts";

/** What was written to is gone: an alias that another process took away. */
export class IndexGoneError extends Error {
  override readonly name = "IndexGoneError";
}

/**
 * Statuses that pass, or that an operator has to end: credentials that are refused, an index that is blocked (403) or
 * gone (404), a server that is overloaded, starting or without a master.
 */
const UNAVAILABLE = new Set([401, 403, 404, 408, 429, 502, 503, 504]);

/** What the server's errors say of themselves. */
interface ErrorBody {
  error?: { type?: string };
}

/**
 * What a caller of the port sees of the client's error. Neither message nor cause of that one is passed on: they quote
 * requests, and so documents.
 */
export function toIndexError(error: unknown): unknown {
  if (error instanceof IndexGoneError) return unavailable(error.message);
  if (!(error instanceof errors.ElasticsearchClientError)) return error;
  if (!(error instanceof errors.ResponseError)) return unavailable(error.name);
  return errorOf(errorType(error) ?? "error", error.statusCode ?? 0);
}

/** Does what asks the server, unless the port is closed. @throws what `toIndexError` makes of what the client throws */
export async function askServer<T>(isClosed: boolean, task: () => Promise<T>): Promise<T> {
  if (isClosed) throw unavailable("it is closed");
  try {
    return await task();
  } catch (error) {
    throw toIndexError(error);
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof IndexGoneError || (error instanceof errors.ResponseError && error.statusCode === 404);
}

/** The server took nothing of a request: its memory or its queues are full at the moment. */
export function hasNoRoom(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 429;
}

/** @param type the server's name of the error, which quotes nothing */
export function errorOf(type: string, status: number): Error {
  if (UNAVAILABLE.has(status) || type === "index_closed_exception") return unavailable(`${type} (${status})`);
  return new Error(`Elasticsearch refused a request: ${type} (${status})`);
}

export function unavailable(reason: string): SearchIndexError {
  return new SearchIndexError("UNAVAILABLE", `The search index is unavailable: ${reason}`);
}

export function buildNeeded(reason: string): SearchIndexError {
  return new SearchIndexError("BUILD_NEEDED", `The search index is to be built anew: ${reason}`);
}

/** The type of an answer that is an error, such as `resource_already_exists_exception`. */
export function errorType(error: unknown): string | undefined {
  return error instanceof errors.ResponseError ? (error.body as ErrorBody | undefined)?.error?.type : undefined;
}
