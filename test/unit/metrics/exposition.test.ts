import { describe, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { Family } from "../../../broker/metrics/exposition.ts";
import { CallSeries, Histogram } from "../../../broker/metrics/series.ts";
import { parseExposition } from "../../contract/metrics/exposition-parser.ts";

describe("Prometheus text", () => {
  test("is as the format's description has it", () => {
    const text = new Family("http_requests_total", "counter", "A \\ and a\nbreak")
      .add(3, { path: 'C:\\"x"\n', method: "GET" })
      .toString();
    expect(text).toBe(
      '# HELP http_requests_total A \\\\ and a\\nbreak\n# TYPE http_requests_total counter\nhttp_requests_total{path="C:\\\\\\"x\\"\\n",method="GET"} 3\n',
    );
    expect(new Family("empty", "gauge", "Nothing").toString()).toBe("");
  });

  test("says any label and any value back to its reader", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.double({ noNaN: true }), (label, value) => {
        const [sample] = parseExposition(
          new Family("some_value", "gauge", "Some").add(value, { label }).toString(),
        ).get("some_value")!.samples;
        expect(sample).toEqual({ name: "some_value", labels: { label }, value: value === 0 ? 0 : value });
      }),
    );
  });

  test("a histogram counts every observation in the first bucket that holds it", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 50, noNaN: true })), (values) => {
        const bounds = [1, 5, 10];
        const histogram = new Histogram(bounds);
        for (const value of values) histogram.observe(value);
        const { samples } = parseExposition(
          new Family("time", "histogram", "Time").addHistogram(histogram).toString(),
        ).get("time")!;
        const buckets = samples.filter(({ name }) => name === "time_bucket").map(({ value }) => value);
        expect(buckets).toEqual([
          ...bounds.map((bound) => values.filter((value) => value <= bound).length),
          values.length,
        ]);
        expect(samples.find(({ name }) => name === "time_sum")!.value).toBeCloseTo(
          values.reduce((sum, value) => sum + value, 0),
          6,
        );
      }),
    );
  });

  test("errors of endless kinds do not make endless series", () => {
    const series = new CallSeries([1]);
    for (let code = 0; code < 1_000; code++) series.fail({ name: "Error", code });
    expect(series.errors.size).toBeLessThanOrEqual(51);
    expect([...series.errors.values()].reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  });
});
