import { describe, expect, it } from "@jest/globals";
import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type Answer } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

const system = useStarted(() => startSystem());

const ask = (path: string, entry: "health-analytics" | "gateway" = "health-analytics"): Promise<Answer> =>
  system.request(entry, "GET", `/api/health-analytics${path}`, entry === "gateway" ? { adminToken: ADMIN_TOKEN } : {});
const read = async (path: string): Promise<Answer["body"]> => (await ask(path)).body;

describe("/api/health-analytics", () => {
  it("reports within seconds of a start that every node and entry point is up", async () => {
    // Over a slow store the first index is longer on its way than an incident waits: that is reported, and over when it
    // is there.
    const overview = await eventually(async () => {
      const body = await read("/overview");
      return (
        body.state === "up" &&
        body.entryPoints.length === ENTRY_POINTS.length &&
        body.entryPoints.every(({ state }: { state: string }) => state === "up") &&
        body
      );
    }, 30_000);
    const nodes = system.mode === "split" ? 2 : 1;
    expect(overview).toMatchObject({ nodes: { up: nodes, gone: 0 }, queue: { dead: 0 }, restarts: 0, incidents: [] });
    const { nodes: listed } = await read("/nodes");
    expect(listed).toHaveLength(nodes);
    expect(listed.flatMap(({ services }: { services: string[] }) => services)).toEqual(
      expect.arrayContaining(["cart", "payment", "health-analytics"]),
    );
    const { node, history } = await read(
      `/nodes/${encodeURIComponent(listed[0].node)}?interval=minute&from=${new Date(Date.now() - 600_000).toISOString()}`,
    );
    expect(node.node).toBe(listed[0].node);
    expect(history.at(-1)).toMatchObject({
      samples: expect.any(Number),
      memory: { rss: expect.any(Number) },
      traffic: { requests: expect.any(Number) },
    });
    const { entryPoints } = await read("/entry-points");
    expect(entryPoints.map(({ entry }: { entry: string }) => entry)).toEqual([...ENTRY_POINTS].sort());
    expect(entryPoints[0]).toMatchObject({
      state: "up",
      nodes: [{ state: "up", failing: [] }],
      availability: expect.any(Number),
    });
  }, 60_000);

  // An embedded system is killed as a whole: what it was is known from the store.
  it("knows after a kill -9 and a restart who took whose place", async () => {
    const { nodes: before } = await read("/nodes");
    await system.kill();
    await system.start();
    const replaced = await eventually(async () => {
      const { nodes } = await read("/nodes");
      const old = nodes.filter(({ node }: { node: string }) =>
        before.some((each: { node: string }) => each.node === node),
      );
      return (
        old.every(
          ({ state, replacedBy }: { state: string; replacedBy: object | null }) =>
            state === "gone" && replacedBy !== null,
        ) && nodes
      );
    }, 60_000);
    expect(replaced).toHaveLength(2 * before.length);
    const incident = await eventually(async () => {
      const { incidents } = await read("/incidents?open=false");
      return incidents.find(({ kind }: { kind: string }) => kind === "node");
    }, 60_000);
    expect(incident).toMatchObject({ kind: "node", open: false, endedAt: expect.any(String), spells: 1 });
    expect(await read("/overview")).toMatchObject({ nodes: { up: before.length, gone: 0 }, restarts: before.length });
  }, 180_000);
});
