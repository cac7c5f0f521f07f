import { afterEach, describe, expect, test } from "@jest/globals";
import { send, startEdge, type Edge } from "../gateway/edge-client.ts";
import { parseExposition, type Sample } from "./exposition-parser.ts";

let edge: Edge | undefined;
afterEach(async () => {
  await edge?.stop();
  edge = undefined;
});

const scrape = async (running: Edge, entry: "payment" | "gateway" = "payment") => {
  const reply = await send(running.port(entry), "GET", "/metrics", {
    headers: { "x-admin-token": "test-admin-token" },
  });
  expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  return parseExposition(reply.text);
};

const find = (samples: Sample[] | undefined, labels: Record<string, string>): Sample[] =>
  (samples ?? []).filter((sample) => Object.entries(labels).every(([name, value]) => sample.labels[name] === value));

describe("metrics over HTTP", () => {
  test("count actions by caller, their failures by error, and requests by the path's template", async () => {
    edge = await startEdge(["payment"]);
    for (const id of ["abc", "def", "gone"]) await edge.ask("payment", "GET", `/api/things/${id}`);
    await edge.ask("payment", "GET", "/api/late");
    await edge.ask("payment", "GET", "/api/things?limit=0");
    await edge.ask("payment", "GET", "/api/no/such/path");
    const families = await scrape(edge);

    const labels = { service: "shop", action: "shop.get", type: "local", caller: "http-payment" };
    expect(find(families.get("moleculer_request_total")?.samples, labels)).toEqual([
      expect.objectContaining({ value: 3 }),
    ]);
    expect(find(families.get("moleculer_request_active")?.samples, labels)[0]?.value).toBe(0);
    const time = families
      .get("moleculer_request_duration_seconds")
      ?.samples.filter(({ name }) => name.endsWith("_count"));
    expect(find(time, labels)[0]?.value).toBe(3);
    const errors = families.get("moleculer_request_error_total")?.samples;
    expect(find(errors, { action: "shop.get", error_code: "NOT_FOUND", error_name: "PartlineError" })[0]?.value).toBe(
      1,
    );
    expect(find(errors, { action: "shop.late", error_type: "REQUEST_TIMEOUT" })[0]?.value).toBe(1);
    expect(find(errors, { action: "shop.list", error_type: "VALIDATION_ERROR" })[0]?.value).toBe(1);

    const http = families
      .get("http_server_request_duration_seconds")
      ?.samples.filter(({ name }) => name.endsWith("_count"));
    const of = (route: string, status: string) =>
      find(http, { entry: "payment", method: "GET", route, status })[0]?.value;
    expect([
      of("/api/things/{id}", "200"),
      of("/api/things/{id}", "404"),
      of("/api/late", "504"),
      of("(unknown)", "404"),
    ]).toEqual([2, 1, 1, 1]);
    expect(JSON.stringify(http)).not.toMatch(/abc|such/);
  });

  test("have one series for what any client can be refused at every route, by any method", async () => {
    edge = await startEdge(["payment"]);
    for (const path of ["/api/things", "/api/nothing", "/api/mine", "/api/held", "/api/special/x"])
      for (const method of ["PATCH", "LOCK", "PROPFIND"]) await edge.ask("payment", method, path);
    for (const method of ["GET", "POST"]) await edge.ask("payment", method, "/api/mine");
    const counts = (await scrape(edge))
      .get("http_server_request_duration_seconds")!
      .samples.filter(({ name, labels }) => name.endsWith("_count") && /40[15]/.test(labels.status!));
    expect(counts.map(({ labels: { method, route, status }, value }) => [method, route, status, value])).toEqual([
      ["PATCH", "(refused)", "405", 4],
      ["other", "(refused)", "405", 8],
      ["GET", "(refused)", "401", 1],
      ["POST", "(refused)", "401", 1],
    ]);
  });

  test("report the broker, the channels, the event loop and the process", async () => {
    edge = await startEdge(["payment"]);
    const families = await scrape(edge);
    const value = (name: string): number => families.get(name)!.samples[0]!.value;
    expect(value("moleculer_registry_nodes_online")).toBe(1);
    expect(value("partline_channel_dead_letters")).toBe(0);
    expect(value("partline_channel_outbox_events")).toBe(0);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(value("process_start_time_seconds")).toBeLessThan(Date.now() / 1_000);
    for (const name of ["p50", "p90", "p99", "max"])
      expect(value(`nodejs_eventloop_lag_${name}_seconds`)).toBeGreaterThanOrEqual(0);
  });

  test("count each series once however many nodes have the action, and what goes over the transporter", async () => {
    edge = await startEdge(["payment"], { transport: "fake" });
    await edge.ask("payment", "GET", "/api/things/abc");
    const families = await scrape(edge);
    const labels = { action: "shop.get", type: "remote" };
    expect(find(families.get("moleculer_request_total")?.samples, labels)).toEqual([
      expect.objectContaining({ value: 1 }),
    ]);
    expect(families.get("moleculer_transporter_packets_sent_total")!.samples[0]!.value).toBeGreaterThan(0);
    expect(families.get("moleculer_transporter_packets_received_bytes_total")!.samples[0]!.value).toBeGreaterThan(0);
  });

  test("are the admin's wherever others can reach them", async () => {
    edge = await startEdge(["payment", "gateway"]);
    expect((await edge.ask("payment", "GET", "/metrics")).status).toBe(200);
    expect((await edge.ask("gateway", "GET", "/metrics")).status).toBe(401);
    await scrape(edge, "gateway");
  });
});
