import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineService } from "../../broker/contract/define.ts";
import { implement } from "../../broker/contract/implement.ts";
import { outboxWrite } from "../../broker/channels/outbox.ts";
import { scrape } from "../../broker/metrics/metrics.ts";
import { watchProvider } from "../../broker/metrics/providers.ts";
import { useRedis } from "../../broker/redis.ts";
import { parseExposition, type ParsedFamily } from "../contract/metrics/exposition-parser.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";
import { readPromql } from "../support/promql.ts";
import { useSystem } from "../support/shared-system.ts";
import { ADMIN_TOKEN, modeOfTest, type SystemClient } from "../support/system.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

/** Where a process runs everything, it exposes everything. */
const inOneProcess = modeOfTest() === "split" ? describe.skip : describe;

const DOCKER = fileURLToPath(new URL("../../docker", import.meta.url));
/** Prometheus adds them itself, the last by docker/prometheus/prometheus.yml. */
const ADDED_LABELS = ["job", "instance", "process"];
const ADDED_METRICS = ["up"];

let system: SystemClient;
let end: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ system, end } = await useSystem());
});
afterAll(() => end?.());

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
  return [...text.matchAll(/- alert: (\w+)\n\s+expr: (?:\|\n((?:\s{10,}.*\n)+)|(.*)\n)/g)].map(([, name, block, line]): [string, string] => [name!, (block ?? line)!.trim()]);
}

/** What a process tells only once something has failed, made to fail. */
async function scrapeOfTrouble(): Promise<string> {
  const contract = defineService({ name: "unlucky", summary: "Fails", actions: {} });
  const outbox = outboxWrite<{ "test.failed": Record<string, never> }>();
  const unlucky = await startTestBroker({
    // No server is there.
    settings: testSettings({ REDIS_URL: `redis://127.0.0.1:${await freePorts(1)}` }),
    services: [(broker) => {
      useRedis(broker);
      return implement(contract, { actions: {}, channels: { "test.failed": { group: "unlucky", maxRetries: 0, handler: () => Promise.reject(new Error("no")) } } });
    }],
  });
  try {
    watchProvider(unlucky.broker, "dis").onFailure("failed");
    await unlucky.documents.atomically([outbox("test.failed", {})]);
    unlucky.channels.wake();
    await eventually(async () => (await unlucky.channels.depth()).dead === 1);
    return await scrape(unlucky.broker);
  } finally {
    await unlucky.stop();
  }
}

/** Metrics by the names that expressions call them by, with all labels that they ever have. */
function labelsByName(expositions: readonly Map<string, ParsedFamily>[]): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const { samples } of expositions.flatMap((families) => [...families.values()])) {
    for (const { name, labels } of samples) known.set(name, new Set([...(known.get(name) ?? []), ...Object.keys(labels)]));
  }
  return known;
}

inOneProcess("the metrics of a running process", () => {
  let text = "";
  beforeAll(async () => {
    for (let time = 0; time < 2; time += 1) await system.request("gateway", "GET", "/api/search/suggest?q=belt");
    await system.request("gateway", "GET", "/api/cart/no-such-cart");
    text = (await system.request("gateway", "GET", "/metrics", { adminToken: ADMIN_TOKEN })).text;
  });

  test("hold all that the dashboard and the alerts ask for, by the labels that they ask by", async () => {
    const known = labelsByName([parseExposition(text), parseExposition(await scrapeOfTrouble())]);
    const expressions = [...dashboardExpressions(), ...alertExpressions()];
    expect([dashboardExpressions().length > 50, alertExpressions().length]).toEqual([true, 14]);
    const wrong = expressions.flatMap(([where, expression]) => {
      const { metrics, groupedBy } = readPromql(expression);
      const labelsOf = (name: string): readonly string[] => (ADDED_METRICS.includes(name) ? ADDED_LABELS : known.has(name) ? [...known.get(name)!, ...ADDED_LABELS] : []);
      const unknown = metrics.filter(({ name }) => labelsOf(name).length === 0).map(({ name }) => `${where}: ${name}`);
      const mislabelled = metrics.flatMap(({ name, labels }) => labels.filter((label) => !labelsOf(name).includes(label)).map((label) => `${where}: ${name}{${label}}`));
      const misgrouped = groupedBy.filter((label) => !metrics.some(({ name }) => labelsOf(name).includes(label))).map((label) => `${where}: by ${label}`);
      return [...(metrics.length === 0 ? [`${where}: reads nothing`] : []), ...unknown, ...mislabelled, ...misgrouped];
    });
    expect(wrong).toEqual([]);
  });

  test("are few, and none is told apart by an id", () => {
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines.length).toBeLessThan(60_000);
    expect(text).not.toMatch(/no-such-cart/);
    for (const [name, { samples }] of parseExposition(text)) {
      expect(name).toMatch(/^(http_server|moleculer|partline|nodejs|process)_[a-z0-9_]+$/);
      for (const label of new Set(samples.flatMap(({ labels }) => Object.keys(labels)))) expect(label).toMatch(/^[a-z_]+$/);
    }
  });
});
