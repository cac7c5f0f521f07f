export { removeAbandonedFiles } from "./src/abandoned-files.ts";
export { createWorkerPool, ProcessFailed, serveParent, type Worker } from "./src/child-process.ts";
export { type CircuitBreakerOptions, type CircuitState, createCircuitBreaker } from "./src/circuit-breaker.ts";
export { adjustContrast } from "./src/colours.ts";
export { CodedError } from "./src/coded-error.ts";
export { boundConnections, computeMostConnections, NEEDED_OPEN_FILES, openFilesLimit } from "./src/connections.ts";
export { computeDigest, toSortedJson } from "./src/digest.ts";
export { type Mailbox, normalizeEmail, parseMailbox } from "./src/email-address.ts";
export { escapeRegExp } from "./src/escape-reg-exp.ts";
export { getAt, getFrom } from "./src/get-at.ts";
export { parseJson, stringifyJson, toJsonText, type JsonText, createWrittenObject } from "./src/json-text.ts";
export { KeyedQueue } from "./src/keyed-queue.ts";
export { loadOnce } from "./src/load-once.ts";
export { streamContent, readFileContent, isMachineExhausted, ignoreAbsent, writeContent } from "./src/local-files.ts";
export { lockFile } from "./src/lock-file.ts";
export { makeOnce } from "./src/made-once.ts";
export { OpenedFile } from "./src/opened-file.ts";
export { connectRedis, RedisConnection } from "./src/redis.ts";
export { memoizeRecent } from "./src/remembering.ts";
export { answerRequests, type Ask, RequestThread } from "./src/request-thread.ts";
export { takeInSlices } from "./src/slices.ts";
export { isBusy, isConstraint, isDamaged, isUnavailable } from "./src/sqlite-error.ts";
export { isForeignOrigin, isLoopbackHost } from "./src/this-machine.ts";
export {
  type Attributes,
  getCurrentScope,
  withScope,
  type Scope,
  type Span,
  type SpanKind,
  type SpanOptions,
  withSpan,
  type Tracer,
  endWithWork,
} from "./src/tracing.ts";
export { ulid } from "./src/ulid.ts";
export { raceAbort } from "./src/until-aborted.ts";
export { waitAtMost, LONGEST_LOOK, withTimeout } from "./src/within-time.ts";
export { EventLoopDelay } from "./src/event-loop-delay.ts";
export { ABANDONED_AFTER_MS, openWorkFiles, type WorkFiles } from "./src/work-files.ts";
