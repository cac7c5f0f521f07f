import { type EdgeRequest, type Exchange as EdgeExchange, getExchange as getEdgeExchange } from "@partline/http-edge";
import type { Route } from "./routes.ts";

export interface Exchange extends EdgeExchange {
  route?: Route;
}

/** @throws Error for a request of another server */
export function getExchange(req: EdgeRequest): Exchange {
  return getEdgeExchange(req);
}
