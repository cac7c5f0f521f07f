import type { SamplerName } from "@partline/moleculer-kit";
import type { SettingsReader } from "./reader.ts";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const satisfies readonly SamplerName[];

/**
 * Undefined without an endpoint: nothing is traced and the SDK is not loaded. Names and meanings are OpenTelemetry's;
 * the SDK reads other OTEL_EXPORTER_OTLP_* settings itself.
 */
export function readTracing(reader: SettingsReader) {
  const general = reader.getUrl("OTEL_EXPORTER_OTLP_ENDPOINT");
  // Used as it is, with a trailing slash.
  const tracesUrl =
    reader.getUrl("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") && reader.getSecret("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const url = tracesUrl ?? (general && `${general}/v1/traces`);
  const sampler = reader.getOneOf("OTEL_TRACES_SAMPLER", SAMPLERS, "parentbased_always_on");
  const ratio = reader.getRatio("OTEL_TRACES_SAMPLER_ARG") ?? 1;
  const protocol = reader.getOneOf("OTEL_EXPORTER_OTLP_PROTOCOL", ["http/json", "http/protobuf", "grpc"], "http/json");
  const isOff =
    reader.getFlag("OTEL_SDK_DISABLED") || reader.getOneOf("OTEL_TRACES_EXPORTER", ["otlp", "none"], "otlp") === "none";
  if (protocol !== "http/json")
    reader.noteUnusable("OTEL_EXPORTER_OTLP_PROTOCOL", "is not http/json, which is how traces are sent");
  // The address may carry credentials.
  return isOff || url === undefined ? undefined : { url, sampler, ratio };
}
