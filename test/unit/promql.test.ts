import { expect, test } from "@jest/globals";
import { readPromql } from "../support/promql.ts";

test("an expression is read for its metrics, their labels and what it groups by", () => {
  expect(
    readPromql(
      'topk(15, histogram_quantile(0.95, sum by (le, route) (rate(http_seconds_bucket{job="a", status=~"5..|by (x)"}[5m])))) > 1 or max(queue_depth) - min without (node) (up)',
    ),
  ).toEqual({
    metrics: [
      {
        name: "http_seconds_bucket",
        selectors: [
          { label: "job", operator: "=", value: "a" },
          { label: "status", operator: "=~", value: "5..|by (x)" },
        ],
      },
      { name: "queue_depth", selectors: [] },
      { name: "up", selectors: [] },
    ],
    groupedBy: ["le", "route", "node"],
  });
});
