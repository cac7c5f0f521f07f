export { removeAbandonedFiles } from "./src/abandoned-files.ts";
export { createWorkerPool, ProcessFailed, serveParent, type Worker } from "./src/child-process.ts";
export { boundConnections, mostConnections, NEEDED_OPEN_FILES, openFilesLimit } from "./src/connections.ts";
export { digestOf, sortedJson } from "./src/digest.ts";
export { jsonOf, jsonText, type JsonText, writtenObject } from "./src/json-text.ts";
export { KeyedQueue } from "./src/keyed-queue.ts";
export { loadOnce } from "./src/load-once.ts";
export { contentOf, fileContent, isMachineExhausted, unlessAbsent, writeContent } from "./src/local-files.ts";
export { lockFile } from "./src/lock-file.ts";
export { madeOnce } from "./src/made-once.ts";
export { OpenedFile } from "./src/opened-file.ts";
export { connectRedis, RedisConnection } from "./src/redis.ts";
export { remembering } from "./src/remembering.ts";
export { answerRequests, type Ask, RequestThread } from "./src/request-thread.ts";
export { inSlices } from "./src/slices.ts";
export { isBusy, isConstraint, isDamaged, isUnavailable } from "./src/sqlite-error.ts";
export { isForeignOrigin, isLoopbackHost } from "./src/this-machine.ts";
export {
  type Attributes,
  currentScope,
  inScope,
  type Scope,
  type Span,
  type SpanKind,
  type SpanOptions,
  traced,
  type Tracer,
  untilDone,
} from "./src/tracing.ts";
export { ulid } from "./src/ulid.ts";
export { untilAborted } from "./src/until-aborted.ts";
export { inTime, LONGEST_LOOK, withinTime } from "./src/within-time.ts";
