import { IncomingMessage } from "node:http";
import { PartlineError } from "../../mixins/errors.ts";
import type { Span } from "../../mixins/tracing.ts";
import type { Route } from "../routes.ts";

/** What is known of a request besides what Node's parser read. */
export interface Exchange {
  /** Also the broker's request id, in logs and in the answer. */
  requestId: string;
  /** Where it is traced. */
  span?: Span | undefined;
  /** `performance.now()` when the request's head had arrived. */
  startedAt: number;
  /**
   * `performance.now()` when the head of an answer was written that has no end of its own: its time is counted up to
   * there.
   */
  answeredAt?: number;
  /**
   * The status of what went wrong here after the head of an answer was written, which the client could be told by a cut
   * connection alone.
   */
  brokenOffWith?: number;
  /** The path as it stands in the URL, without the query. */
  path: string;
  /** The query as it stands in the URL, without the question mark. */
  query: string;
  /** For logs and metrics: the path's template, never the path itself, which holds ids. */
  routeLabel: string;
  route?: Route;
  /** Path parameters, still percent-encoded, in the template's order. */
  pathValues: readonly string[];
  /** Headers that an answer of any kind carries: those of the rate limit, say. */
  headers: Record<string, string>;
}

export const UNKNOWN_ROUTE = "(unknown)";

/** The request class of every entry point's HTTP server. */
export class EdgeRequest extends IncomingMessage {
  exchange: Exchange | undefined;

  /** What we ourselves end is answered yet: Node would end the connection with it. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (error instanceof PartlineError) callback(error);
    else super._destroy(error, callback);
  }
}

/** @throws Error for a request that did not come through an entry point's server */
export function exchangeOf(req: EdgeRequest): Exchange {
  if (!req.exchange) throw new Error("The request has no exchange");
  return req.exchange;
}
