import { IncomingMessage } from "node:http";
import { PartlineError } from "../../mixins/errors.ts";
import type { Span } from "../../mixins/tracing.ts";
import type { Route } from "../routes.ts";

/** What is known of a request beyond Node's parser. */
export interface Exchange {
  /** Also the broker's request id, in logs and in the answer. */
  requestId: string;
  span?: Span | undefined;
  /** `performance.now()` at the end of the request's head. */
  startedAt: number;
  /** `performance.now()` at the head of an endless answer: its time counts up to there. */
  answeredAt?: number;
  /** Status of an error after the head was written: the client only sees a cut connection. */
  brokenOffWith?: number;
  /** As in the URL, without the query. */
  path: string;
  /** As in the URL, without the question mark. */
  query: string;
  /** For logs and metrics: the path's template, never the path, which holds ids. */
  routeLabel: string;
  route?: Route;
  /** Percent-encoded, in the template's order. */
  pathValues: readonly string[];
  /** Headers of any answer, for example of the rate limit. */
  headers: Record<string, string>;
}

export const UNKNOWN_ROUTE = "(unknown)";

/** The request class of entry points. */
export class EdgeRequest extends IncomingMessage {
  exchange: Exchange | undefined;

  /** A request that we end is still answered: Node would end its connection. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (error instanceof PartlineError) callback(error);
    else super._destroy(error, callback);
  }
}

/** @throws Error for a request of another server */
export function exchangeOf(req: EdgeRequest): Exchange {
  if (!req.exchange) throw new Error("The request has no exchange");
  return req.exchange;
}
