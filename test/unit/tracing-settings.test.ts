import { describe, expect, test } from "@jest/globals";
import { loadSettings } from "../../broker/settings.ts";
import { readShopSettings } from "../../services/shared/settings.ts";

const tracing = (env: Record<string, string>) =>
  loadSettings({ DATA_DIR: "/tmp/partline-unused", ADMIN_TOKEN: "x", ...env }, "0", readShopSettings([])).tracing;
const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:4318";

describe("what is traced", () => {
  test("is nothing unless an endpoint takes it", () => {
    expect(tracing({})).toBeUndefined();
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({
      url: "http://127.0.0.1:4318/v1/traces",
      sampler: "parentbased_always_on",
      ratio: 1,
    });
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp/" }, "https://collector.example/otlp/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector.example/in/" }, "https://collector.example/in/"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector.example/in" },
      "https://collector.example/in",
    ],
  ])("goes where the standard says: %j", (env: Record<string, string>, url) => {
    expect(tracing(env)?.url).toBe(url);
  });

  test.each([
    ["OTEL_SDK_DISABLED", "true"],
    ["OTEL_TRACES_EXPORTER", "none"],
  ])("is nothing where %s is %s", (name, value) => {
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })).toBeUndefined();
  });

  test("is a share by the standard names", () => {
    expect(
      tracing({
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
      }),
    ).toMatchObject({ sampler: "parentbased_traceidratio", ratio: 0.25 });
  });

  test.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["OTEL_TRACES_SAMPLER_ARG", "a tenth"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["SLOW_CALL_MS", "0"],
  ])("%s=%s stops the start with a line that names it", (name, value) => {
    expect(() => tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })).toThrow(name);
  });
});
