/** The request id and span of the work under way; they follow it through every await. */
import { AsyncLocalStorage } from "node:async_hooks";

/** Kind of a span, as in OpenTelemetry's semantic conventions. */
export type SpanKind = "server" | "client" | "producer" | "consumer" | "internal";
/** Names by the semantic conventions; values are ids and codes, never typed texts, queries, tokens or addresses. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind: SpanKind;
  attributes?: Attributes;
  /** `traceparent`s of related spans. */
  links?: readonly string[];
}

/** A piece of work in a trace. If the trace is not sampled, it and its children cost nothing. */
export interface Span {
  /** `00-{trace id}-{span id}-{flags}`, by W3C Trace Context. */
  readonly traceparent: string;
  readonly traceId: string;
  readonly spanId: string;
  startChild(name: string, options: SpanOptions): Span;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** @param type an error's code or name */
  fail(type: string): void;
  end(): void;
}

export interface Tracer {
  /** Begins a span whose parent is elsewhere (a `traceparent`, ignored if it is not valid) or nowhere. */
  begin(name: string, options: SpanOptions & { parent?: string | undefined }): Span;
}

export interface Scope {
  readonly requestId: string;
  readonly span?: Span | undefined;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/** The scope of the work under way; undefined outside of requests and events. */
export function getCurrentScope(): Scope | undefined {
  return scopes.getStore();
}

/** Runs the work as a part of a request; with `undefined` as a part of none, even if one woke it. */
export function withScope<T>(scope: Scope | undefined, work: () => T): T {
  return scopes.run(scope, work);
}

/** Runs the work in a span of its own, if the request has one. */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const scope = getCurrentScope();
  const span = scope?.span?.startChild(name, options);
  if (!scope || !span) return work(undefined);
  return endWithWork(span, () => withScope({ ...scope, span }, () => work(span)));
}

/** Ends the span with the work; an error shows by its code or name. */
export async function endWithWork<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span?.fail(getErrorType(error));
    throw error;
  } finally {
    span?.end();
  }
}

/** The name of an error, without its text. */
function getErrorType(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const { code, type, name } = error as { code?: unknown; type?: unknown; name?: unknown };
  for (const word of [code, type, name]) if (typeof word === "string" && word !== "") return word;
  return "unknown";
}
