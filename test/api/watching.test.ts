import { beforeAll, describe, expect, test } from "@jest/globals";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { defineService, ENTRY_POINTS } from "../../broker/contract/define.ts";
import { implement } from "../../broker/contract/implement.ts";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import type { Channels } from "../../packages/durable/src/channels/port.ts";
import { getMetrics, scrape, watchProvider } from "@partline/moleculer-kit";
import { ERROR_CATALOGUE } from "../../mixins/errors.ts";
import { useRedis } from "../../broker/redis.ts";
import { parseExposition, type ParsedFamily } from "../contract/metrics/exposition-parser.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";
import { readPromql, type Selector } from "../support/promql.ts";
import { metricsPage } from "../support/reference/metrics.ts";
import { readPage, recordPage } from "../support/reference/page.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN } from "../support/system.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const DOCKER = fileURLToPath(new URL("../../docker", import.meta.url));
/** Prometheus adds them itself, the last by docker/prometheus/prometheus.yml. */
const ADDED_LABELS = ["job", "instance", "process"];
const ADDED_METRICS = ["up"];
/** Values of labels that no request of this suite need have led to. */
const STATED_VALUES: Record<string, readonly string[]> = {
  entry: ENTRY_POINTS,
  status: Object.values(ERROR_CATALOGUE).map(({ status }) => String(status)),
  backend: ["embedded", "jetstream"] satisfies Channels["backend"][],
};

const system = useSystem();

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

function dashboardExpressions(): [string, string][] {
  const { panels } = JSON.parse(readFileSync(`${DOCKER}/grafana/partline.json`, "utf8")) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr]));
}

function alertExpressions(): [string, string][] {
  const text = readFileSync(`${DOCKER}/prometheus/alerts.yml`, "utf8");
  return [...text.matchAll(/- alert: (\w+)\n\s+expr: (?:\|\n((?:\s{10,}.*\n)+)|(.*)\n)/g)].map(
    ([, name, block, line]): [string, string] => [name!, (block ?? line)!.trim()],
  );
}

/** A client that goes before it has sent all that it wanted to. */
async function hangUp(): Promise<void> {
  const { hostname, port } = new URL(system.url("gateway"));
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    "POST /api/cart HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
  );
  // It is being heard.
  await once(socket, "data");
  socket.destroy();
}

/** Metrics that a process has only after a failure, made to fail; and the labels with which metrics are declared. */
async function scrapeOfTrouble(): Promise<{ seen: string; declared: Map<string, readonly string[]> }> {
  const contract = defineService({
    name: "unlucky",
    summary: "Fails",
    actions: {
      serve: {
        summary: "Serve one at a time",
        params: {},
        result: { type: "any" },
        errors: [],
        idempotent: true,
        bulkhead: { concurrency: 1, maxQueueSize: 1 },
      },
    },
  });
  const { promise: served, resolve: serve } = Promise.withResolvers<void>();
  const outbox = createOutboxWrite<{ "test.failed": Record<string, never> }>();
  const unlucky = await startTestBroker({
    // No server is there.
    settings: testSettings({ REDIS_URL: `redis://127.0.0.1:${await freePorts(1)}` }),
    services: [
      "webhook",
      (broker) => {
        useRedis(broker);
        return implement(contract, {
          actions: { serve: () => served },
          channels: {
            "test.failed": { group: "unlucky", maxRetries: 0, handler: () => Promise.reject(new Error("no")) },
          },
        });
      },
    ],
  });
  try {
    const calls = [1, 2, 3].map(() => unlucky.broker.call("unlucky.serve"));
    await expect(Promise.race(calls)).rejects.toMatchObject({ type: "QUEUE_FULL" });
    serve();
    await Promise.allSettled(calls);
    watchProvider(unlucky.broker, "dis").onFailure("failed");
    getMetrics(unlucky.broker).repeats.inc({ action: "unlucky.serve", reason: "silent" });
    await unlucky.documents.atomically([outbox("test.failed", {})]);
    unlucky.channels.wake();
    // Counted a moment after the event can be seen among the dead letters.
    const told = await eventually(async () => {
      const text = await scrape(unlucky.broker);
      return (
        /^partline_channel_dead_letters 1$/m.test(text) &&
        text.includes("partline_channel_delivery_failures_total{") &&
        text
      );
    }, 60_000);
    const metrics = getMetrics(unlucky.broker).registry.getMetricsAsArray() as {
      name: string;
      labelNames?: string[];
    }[];
    return { seen: told, declared: new Map(metrics.map(({ name, labelNames = [] }) => [name, labelNames])) };
  } finally {
    await unlucky.stop();
  }
}

/** Metrics by the names that expressions call them by, with all labels that they ever have and those labels' values. */
function valuesByName(expositions: readonly Map<string, ParsedFamily>[]): Map<string, Map<string, Set<string>>> {
  const known = new Map<string, Map<string, Set<string>>>();
  for (const { name, labels } of expositions.flatMap((families) =>
    [...families.values()].flatMap(({ samples }) => samples),
  )) {
    const values = known.get(name) ?? new Map<string, Set<string>>();
    known.set(name, values);
    for (const [label, value] of Object.entries(labels)) values.set(label, (values.get(label) ?? new Set()).add(value));
  }
  return known;
}

/** What is asked for and never is. */
function unknownValues({ label, operator, value }: Selector, known: ReadonlySet<string>): string[] {
  const values = [...known, ...(STATED_VALUES[label] ?? [])];
  if (!operator.endsWith("~")) return values.includes(value) ? [] : [value];
  return value.split("|").filter((pattern) => !values.some((one) => new RegExp(`^(?:${pattern})$`).test(one)));
}

describe("the metrics of a running process", () => {
  let text = "";
  beforeAll(async () => {
    await system.request("gateway", "GET", "/api/cart/no-such-cart");
    await hangUp();
    // Where the catalog was made before, the start has none to count.
    await system.request("catalog", "POST", "/catalog/kmt/batch-sync", { adminToken: ADMIN_TOKEN });
    text = await eventually(async () => {
      const told = (await system.request("gateway", "GET", "/metrics", { adminToken: ADMIN_TOKEN })).text;
      return told.includes('status="499"') && told.includes("partline_catalog_syncs_total{") && told;
    }, 60_000);
  });

  test("hold all that the dashboard and the alerts ask for, by the labels and their values that they ask by", async () => {
    const known = valuesByName([parseExposition(text), parseExposition((await scrapeOfTrouble()).seen)]);
    const expressions = [...dashboardExpressions(), ...alertExpressions()];
    expect([dashboardExpressions().length > 50, alertExpressions().length]).toEqual([true, 21]);
    const wrong = expressions.flatMap(([where, expression]) => {
      const { metrics, groupedBy } = readPromql(expression);
      const labelsOf = (name: string): readonly string[] =>
        ADDED_METRICS.includes(name)
          ? ADDED_LABELS
          : known.has(name)
            ? [...known.get(name)!.keys(), ...ADDED_LABELS]
            : [];
      const unknown = metrics.filter(({ name }) => labelsOf(name).length === 0).map(({ name }) => `${where}: ${name}`);
      const mislabelled = metrics.flatMap(({ name, selectors }) =>
        selectors
          .filter(({ label }) => !labelsOf(name).includes(label))
          .map(({ label }) => `${where}: ${name}{${label}}`),
      );
      const misvalued = metrics.flatMap(({ name, selectors }) =>
        selectors
          .filter(({ label }) => !ADDED_LABELS.includes(label))
          .flatMap((selector) =>
            unknownValues(selector, known.get(name)?.get(selector.label) ?? new Set()).map(
              (value) => `${where}: ${name}{${selector.label}=${value}}`,
            ),
          ),
      );
      const misgrouped = groupedBy
        .filter((label) => !metrics.some(({ name }) => labelsOf(name).includes(label)))
        .map((label) => `${where}: by ${label}`);
      return [
        ...(metrics.length === 0 ? [`${where}: reads nothing`] : []),
        ...unknown,
        ...mislabelled,
        ...misvalued,
        ...misgrouped,
      ];
    });
    expect(wrong).toEqual([]);
  });

  test("are those of docs/reference/metrics.md (`npm run docs` makes it)", async () => {
    const { seen, declared } = await scrapeOfTrouble();
    const page = metricsPage(new Map([...parseExposition(seen), ...parseExposition(text)]), declared);
    recordPage("metrics.md", page);
    expect(readPage("metrics.md")).toBe(page);
  });

  test("are few, and no id is a label", () => {
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines.length).toBeLessThan(60_000);
    expect(text).not.toMatch(/no-such-cart/);
    for (const [name, { samples }] of parseExposition(text)) {
      expect(name).toMatch(/^(http_server|moleculer|partline|nodejs|process)_[a-z0-9_]+$/);
      for (const label of new Set(samples.flatMap(({ labels }) => Object.keys(labels))))
        expect(label).toMatch(/^[a-z_]+$/);
    }
  });
});
