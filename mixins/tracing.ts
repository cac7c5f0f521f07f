/**
 * What the parts of a request are told apart by while it is worked on: its id, and its span where traces are wanted. It
 * follows the work through every await, so nobody hands it on.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** As OpenTelemetry's semantic conventions have them. */
export type SpanKind = "server" | "client" | "producer" | "consumer" | "internal";
/**
 * Names by the semantic conventions; ids and codes alone, never a text that somebody wrote, a query, a token or an
 * address of a person.
 */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind: SpanKind;
  attributes?: Attributes;
  /** `traceparent`s of spans that this one has to do with. */
  links?: readonly string[];
}

/**
 * A piece of work as a trace shows it. Of a trace that is not sampled it costs nothing, and neither do its children.
 */
export interface Span {
  /** `00-{trace id}-{span id}-{flags}`, by W3C Trace Context. */
  readonly traceparent: string;
  readonly traceId: string;
  readonly spanId: string;
  child(name: string, options: SpanOptions): Span;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** @param type an error's code or name */
  fail(type: string): void;
  end(): void;
}

export interface Tracer {
  /**
   * A span whose parent is elsewhere (a `traceparent`, which counts for nothing where it is not a valid one) or
   * nowhere.
   */
  begin(name: string, options: SpanOptions & { parent?: string | undefined }): Span;
}

export interface Scope {
  readonly requestId: string;
  readonly span?: Span | undefined;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/** Of the request or event that is being worked on; undefined for work that is of none. */
export function currentScope(): Scope | undefined {
  return scopes.getStore();
}

/** Does the work as a part of a request; with `undefined` as a part of none, though one of them may have woken it. */
export function inScope<T>(scope: Scope | undefined, work: () => T): T {
  return scopes.run(scope, work);
}

/** Does the work within a span of its own, where the request has one; what it throws is told by its code or name. */
export async function traced<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const around = currentScope();
  const span = around?.span?.child(name, options);
  if (!around || !span) return work(undefined);
  try {
    return await inScope({ ...around, span }, () => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** What an error is told apart by, without its text. */
export function errorType(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const { code, type, name } = error as { code?: unknown; type?: unknown; name?: unknown };
  for (const word of [code, type, name]) if (typeof word === "string" && word !== "") return word;
  return "unknown";
}
