export {
  BODY_LIMITS,
  ClientGoneError,
  getMediaType,
  hasBody,
  limitRest,
  limitSilence,
  readBody,
  refuseAnnounced,
  refuseEncoding,
} from "./src/body.ts";
export { type ClientAddress, createClientAddress } from "./src/client-address.ts";
export { type Cors, type CorsHeaders, createCors } from "./src/cors.ts";
export { EdgeRequest, type Exchange, getExchange, UNKNOWN_ROUTE } from "./src/edge-request.ts";
export { createEventStreams, type EventPage, type EventStreams } from "./src/event-stream.ts";
export { createFieldError, parseJson, parseJsonObject, parseSafeJson } from "./src/json.ts";
export {
  createMemoryRateLimitStore,
  createRateLimiter,
  createRedisRateLimitStore,
  type RateLimiter,
  type RateLimitStore,
  toSeconds,
} from "./src/rate-limit.ts";
export { getCommonHeaders, JSON_TYPE, type Payload, send, sendJson, sendNothing, varyHeader } from "./src/send.ts";
export { createEdgeServer } from "./src/server.ts";
export { writePiece, writeStreamHead } from "./src/sse.ts";
