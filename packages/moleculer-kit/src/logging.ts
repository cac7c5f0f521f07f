import type { BrokerOptions } from "moleculer";
import { pino, type DestinationStream, type LogFn, type Logger, type LoggerOptions as PinoOptions } from "pino";
import { removeCredentials } from "@partline/parts-language";
import { getCurrentScope, type Scope } from "@partline/toolkit";
import { formatReason } from "@partline/durable";
import { formatForTerminal } from "./terminal-lines.ts";

/** Lines with node, service, request id and trace on standard output: JSON, or as a person reads them on a terminal. */
export function createLoggerOptions(
  settings: { logLevel: string },
  destination?: { write(line: string): void },
): BrokerOptions["logger"] {
  const options: PinoOptions = {
    base: undefined,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { logMethod: putFieldsFirst },
    mixin: () => getScopeFields(getCurrentScope()),
    serializers: {
      err: (error: unknown) => (typeof error === "object" && error !== null ? toErrorFields(error as Error) : error),
      error: (error: unknown) => (error instanceof Error ? toErrorFields(error) : error),
    },
    redact: { paths: SECRETS, censor: "***" },
  };
  const logger = pino(options, destination ?? openStandardOutput(process.stdout.isTTY ? formatForTerminal : undefined));
  return {
    type: "Pino",
    options: {
      level: settings.logLevel,
      createLogger: (level: string, bindings: Record<string, unknown>) =>
        logger.child(renameBindings(bindings), { level }),
    },
  };
}

/** Most bytes of lines that wait for a log that cannot be written; further lines are counted. */
const MOST_WAITING = 256 * 1024;
const WRITE_AGAIN_MS = 1_000;

/**
 * Standard output, whose errors never reach the process. A closed terminal (EIO) or pipe (EPIPE) gets no more lines. On
 * other errors, such as a full disk, lines wait, and later a line says how many were dropped.
 */
function openStandardOutput(format = (line: string) => line): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING });
  const write = (line: string): void => void output.write(format(line));
  const doNothing = (): void => undefined;
  let dropped = 0;
  let retryTimer: NodeJS.Timeout | undefined;
  const tellDropped = (): void => {
    const msg = `${dropped} log lines were dropped, because standard output could not be written`;
    dropped = 0;
    write(`${JSON.stringify({ level: "warn", time: new Date().toISOString(), msg })}\n`);
  };
  output.on("drop", () => {
    if (dropped === 0) output.once("drain", tellDropped);
    dropped += 1;
  });
  output.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EIO" || code === "EPIPE")
      Object.assign(output, { write: doNothing, flush: doNothing, end: doNothing });
    retryTimer ??= setTimeout(() => {
      retryTimer = undefined;
      output.write("");
    }, WRITE_AGAIN_MS).unref();
  });
  // Without its flushSync, which would retry for ever and block the event loop; each line is written at once anyway.
  return { write };
}

export function getScopeFields(scope: Scope | undefined): object {
  return { request_id: scope?.requestId, trace_id: scope?.span?.traceId, span_id: scope?.span?.spanId };
}

/** Moleculer's bindings under our names; `service` is a module if there is no service. */
function renameBindings({ nodeID, svc, mod }: Record<string, unknown>): object {
  return { node: nodeID, service: svc ?? mod };
}

/** Fields with credentials or personal data. */
const NEVER = [
  "authorization",
  "cookie",
  "password",
  "secret",
  "token",
  "apiKey",
  "adminToken",
  "email",
  "phone",
  "address",
  "addresses",
];
const SECRETS = NEVER.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Name, code, message and stack alone: the rest may be a request's data. Credentials in URLs are removed. */
function toErrorFields(error: Error & { code?: unknown; type?: unknown }): object {
  const { name, code, type } = error;
  const text = error.stack ?? `${name}: ${error.message}`;
  return {
    name,
    code,
    type,
    message: removeCredentials(error.message),
    stack: removeCredentials(text),
    cause: error.cause instanceof Error ? removeCredentials(`${error.cause.name}: ${error.cause.message}`) : undefined,
  };
}

/**
 * Puts fields before the message: pino would use an error, fields or a reason (Moleculer's "NATS error.") after it for
 * placeholders, and drop them.
 */
function putFieldsFirst(this: Logger, args: Parameters<LogFn>, log: LogFn): void {
  const [message, second, ...rest] = args as unknown[];
  if (typeof message === "string" && typeof second === "string" && rest.length === 0 && !message.includes("%")) {
    log.call(this, { reason: removeCredentials(second) }, message);
    return;
  }
  const fields = second instanceof Error ? { err: second } : second;
  if (typeof message === "string" && isPlainObject(fields) && rest.length === 0) log.apply(this, [fields, message]);
  else log.apply(this, args);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const LOGGED_EVERY_MS = 10_000;

/** Returns a function that logs a warning, once in ten seconds for the same reason. */
export function createThrottledWarning(
  logger: { warn(message: string, error: unknown): void },
  message: string,
): (error: unknown) => void {
  const logged = { reason: "", at: -Infinity };
  return (error) => {
    const reason = formatReason(error);
    if (reason === logged.reason && performance.now() - logged.at < LOGGED_EVERY_MS) return;
    Object.assign(logged, { reason, at: performance.now() });
    logger.warn(message, error);
  };
}
