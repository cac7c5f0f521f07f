import { IncomingMessage } from "node:http";
import { CodedError, type Span } from "@partline/toolkit";

export interface Exchange {
  requestId: string;
  span?: Span | undefined;
  /** `performance.now()`, at the end of the head. */
  startedAt: number;
  /** The same, at the head of an endless answer: its time counts up to there. */
  answeredAt?: number;
  /** Status of an error after the head was written. */
  brokenOffWith?: number;
  path: string;
  query: string;
  /** The path's template, never the path, which holds ids. */
  routeLabel: string;
  pathValues: readonly string[];
  headers: Record<string, string>;
}

export const UNKNOWN_ROUTE = "(unknown)";

export class EdgeRequest extends IncomingMessage {
  exchange: Exchange | undefined;

  /**
   * A request that we end is still answered: Node would end its connection. As with Node's own, the error goes to those
   * who read the body, and to `errored`; without a reader it concerns nobody.
   */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (error instanceof CodedError) callback(this.listenerCount("error") > 0 ? error : null);
    else super._destroy(error, callback);
  }
}

/** @throws Error for a request of another server */
export function getExchange(req: EdgeRequest): Exchange {
  if (!req.exchange) throw new Error("The request has no exchange");
  return req.exchange;
}
