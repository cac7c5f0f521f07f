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

export interface TracingSettings {
  /** Where traces are sent, path included. May carry credentials. */
  url: string;
  sampler: SamplerName;
  /** Share of the traces that a sampler by ratio takes. */
  ratio: number;
}

/**
 * Undefined where no endpoint is named: nothing is traced, and the SDK is not loaded. The names and meanings are those
 * of OpenTelemetry's specification; the SDK reads the headers and whatever else of OTEL_EXPORTER_OTLP_* itself.
 */
export function readTracing(read: SettingsReader): TracingSettings | undefined {
  const general = read.url("OTEL_EXPORTER_OTLP_ENDPOINT");
  // To be used as it stands, a slash at its end included.
  const ofTraces = read.url("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") && read.secret("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const url = ofTraces ?? (general && `${general}/v1/traces`);
  const sampler = read.oneOf("OTEL_TRACES_SAMPLER", SAMPLERS, "parentbased_always_on");
  const ratio = read.ratio("OTEL_TRACES_SAMPLER_ARG") ?? 1;
  const protocol = read.oneOf("OTEL_EXPORTER_OTLP_PROTOCOL", ["http/json", "http/protobuf", "grpc"], "http/json");
  const isOff =
    read.flag("OTEL_SDK_DISABLED", false) || read.oneOf("OTEL_TRACES_EXPORTER", ["otlp", "none"], "otlp") === "none";
  if (protocol !== "http/json")
    read.unusable("OTEL_EXPORTER_OTLP_PROTOCOL", "is not http/json, which is how traces are sent");
  return isOff || url === undefined ? undefined : { url, sampler, ratio };
}
