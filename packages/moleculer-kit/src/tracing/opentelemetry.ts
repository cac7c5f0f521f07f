import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Link,
  type Span as ApiSpan,
  type Tracer as ApiTracer,
} from "@opentelemetry/api";
import { ExportResultCode, parseTraceParent, type ExportResult } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import type { Attributes, Span, SpanKind, SpanOptions, Tracer } from "@partline/toolkit";

/** Spans that wait to be sent; further ones are dropped. */
const MAX_QUEUE_SIZE = 4_096;
const EVERY_MS = 2_000;

type RootSampler = "always_on" | "always_off" | "traceidratio";
/** By the names of OpenTelemetry's settings. */
export type SamplerName = RootSampler | `parentbased_${RootSampler}`;

export interface TracingSettings {
  url: string;
  sampler: SamplerName;
  /** Share of the traces that `traceidratio` keeps. */
  ratio: number;
}

interface TracingDeps {
  /** Attributes of this process, by the semantic conventions: `service.version`, `service.instance.id`, … */
  attributes: Attributes;
  /** `reason` holds no address and nothing that was sent. */
  onLost: (spans: number, reason: string) => void;
}

/**
 * Spans by OpenTelemetry's SDK, in batches over OTLP/HTTP. The exporter and the resource read their standard variables
 * themselves (headers, deadline, compression, certificates, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES).
 */
export function openTracing(
  settings: TracingSettings,
  { attributes, onLost }: TracingDeps,
): { tracer: Tracer; close(): Promise<void> } {
  const ownResource = resourceFromAttributes({ "service.name": "partline", ...attributes });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(ownResource)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(settings),
    spanLimits: { attributeValueLengthLimit: 256 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new ReportingExporter(settings.url, onLost),
        maxQueueSize: MAX_QUEUE_SIZE,
        scheduledDelayMillis: EVERY_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("partline");
  return {
    tracer: { begin: (name, { parent, ...options }) => begin(tracer, name, options, toRemoteContext(parent)) },
    close: () => provider.shutdown(),
  };
}

/** Reports a failed export itself: the SDK would use a handler that is global to the process. */
class ReportingExporter extends OTLPTraceExporter {
  readonly #onLost: TracingDeps["onLost"];

  constructor(url: string, onLost: TracingDeps["onLost"]) {
    super({ url });
    this.#onLost = onLost;
  }

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans, ({ code, error }) => {
      if (code !== ExportResultCode.SUCCESS) this.#onLost(spans.length, toReason(error));
      done({ code: ExportResultCode.SUCCESS });
    });
  }
}

/** `ECONNREFUSED`, a status, or the error's name: its text may quote an answer. */
function toReason(error: Error | undefined): string {
  const { code } = (error ?? {}) as { code?: string | number };
  return code === undefined ? (error?.name ?? "unknown") : String(code);
}

const ROOT_SAMPLERS: Record<RootSampler, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};

function createSampler({ sampler, ratio }: TracingSettings): Sampler {
  const root = ROOT_SAMPLERS[sampler.replace("parentbased_", "") as keyof typeof ROOT_SAMPLERS](ratio);
  return (sampler satisfies SamplerName).startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

function toRemoteContext(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

function linkTo(traceparent: string): Link[] {
  const context = parseTraceParent(traceparent);
  return context ? [{ context }] : [];
}

function begin(tracer: ApiTracer, name: string, { kind, attributes, links }: SpanOptions, context: Context): Span {
  const span = tracer.startSpan(
    name,
    { kind: Kind[kind.toUpperCase() as Uppercase<SpanKind>], attributes, links: links?.flatMap(linkTo) },
    context,
  );
  return toSpan(tracer, span);
}

function toSpan(tracer: ApiTracer, span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isRecorded = span.isRecording();
  const wrapped: Span = {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? "00" : "01"}`,
    // A span that is not recorded stands for its whole trace.
    startChild: (name, options) =>
      isRecorded ? begin(tracer, name, options, trace.setSpan(ROOT_CONTEXT, span)) : wrapped,
    set: (attributes) => void span.setAttributes(attributes),
    rename: (name) => void span.updateName(name),
    fail: (type) => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute("error.type", type);
    },
    end: () => span.end(),
  };
  return wrapped;
}
