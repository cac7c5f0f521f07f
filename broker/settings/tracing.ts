import type { SettingsReader } from "./reader.ts";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

export type TracingSettings = NonNullable<ReturnType<typeof readTracing>>;

/**
 * Undefined without an endpoint: nothing is traced and the SDK is not loaded. Names and meanings are OpenTelemetry's;
 * the SDK reads other OTEL_EXPORTER_OTLP_* settings itself.
 */
export function readTracing(read: SettingsReader) {
  const general = read.url("OTEL_EXPORTER_OTLP_ENDPOINT");
  // Used as it is, with a trailing slash.
  const ofTraces = read.url("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") && read.secret("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const url = ofTraces ?? (general && `${general}/v1/traces`);
  const sampler = read.oneOf("OTEL_TRACES_SAMPLER", SAMPLERS, "parentbased_always_on");
  const ratio = read.ratio("OTEL_TRACES_SAMPLER_ARG") ?? 1;
  const protocol = read.oneOf("OTEL_EXPORTER_OTLP_PROTOCOL", ["http/json", "http/protobuf", "grpc"], "http/json");
  const isOff =
    read.flag("OTEL_SDK_DISABLED") || read.oneOf("OTEL_TRACES_EXPORTER", ["otlp", "none"], "otlp") === "none";
  if (protocol !== "http/json")
    read.unusable("OTEL_EXPORTER_OTLP_PROTOCOL", "is not http/json, which is how traces are sent");
  // The address may carry credentials.
  return isOff || url === undefined ? undefined : { url, sampler, ratio };
}
