import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../bin/node-options.mjs";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { freePorts } from "../support/ports.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { MONGO_URL, NATS_URL } = process.env;
/** Both watch; the first is asked. */
const RUNS = ["health-analytics,http:health-analytics", "cart,health-analytics,http:cart"] as const;

/** For what a busy machine takes its time to. */
const LONG_MS = 90_000;

interface Node {
  child: ChildProcess;
  id: string;
}

if (!MONGO_URL || !NATS_URL) console.warn("Skipped: a node that is killed needs MONGO_URL and NATS_URL");

(MONGO_URL && NATS_URL ? describe : describe.skip)("Health analytics of two processes over NATS", () => {
  let env: Record<string, string>;
  let port: number;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    port = await freePorts(2);
    env = {
      ...CHILD_ENVIRONMENT,
      DATA_DIR: mkdtempSync(join(tmpdir(), "partline-health-")),
      ADMIN_TOKEN: "test-admin-token",
      LOG_LEVEL: "warn",
      NATS_URL: NATS_URL!,
      NATS_NAMESPACE: `partline_health_${port}_${Date.now()}`,
      MONGO_URL: mongoTestUrl("health"),
      HEALTH_ANALYTICS_PORT: String(port),
      CART_PORT: String(port + 1),
    };
    await start(RUNS[0]);
  }, LONG_MS + 10_000);
  afterAll(async () => {
    await Promise.all(
      [...running].map(async (child) => {
        child.kill("SIGKILL");
        await once(child, "exit");
      }),
    );
  });

  async function start(services: string): Promise<Node> {
    const child = spawn(process.execPath, [...NODE_FLAGS, "bin/start.ts"], {
      cwd: ROOT,
      env: { ...NODE_ENVIRONMENT, ...env, SERVICES: services },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const [, id] = await eventually(() => {
      if (child.exitCode !== null) throw new Error(printed);
      return /is ready after .*\(node (\S+),/.exec(printed) ?? false;
    }, LONG_MS);
    return { child, id: id! };
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black-box client has no types to rely on
  const ask = async (path: string): Promise<any> =>
    (await fetch(`http://127.0.0.1:${port}/api/health-analytics${path}`)).json();
  const nodeIncidents = async (): Promise<
    { open: boolean; nodes: string[]; spells: number; endedAt: string | null }[]
  > => (await ask("/incidents")).incidents.filter(({ kind }: { kind: string }) => kind === "node");
  const overviewTells = (expected: object): Promise<true> =>
    eventually(async () => {
      expect(await ask("/overview")).toMatchObject(expected);
      return true;
    }, LONG_MS);
  const stateOf = async (id: string): Promise<string | undefined> =>
    (await ask("/nodes")).nodes.find(({ node }: { node: string }) => node === id)?.state;

  it("says within 20 seconds that a node was killed, and that its successor took its place; a planned stop is no incident", async () => {
    const first = await start(RUNS[1]);
    await overviewTells({
      state: "up",
      nodes: { up: 2, gone: 0 },
      incidents: [],
      entryPoints: [
        { entry: "cart", state: "up" },
        { entry: "health-analytics", state: "up" },
      ],
    });

    first.child.kill("SIGKILL");
    const killedAt = Date.now();
    // As of when it says so: a busy machine may take its time to answer.
    let lastUnsaidMs = 0;
    const tookMs = await eventually(async () => {
      const {
        asOf,
        nodes: { gone },
      } = await ask("/overview");
      const ms = Date.parse(asOf) - killedAt;
      if (gone === 1) return ms;
      lastUnsaidMs = ms;
      return false;
    }, LONG_MS);
    expect(lastUnsaidMs).toBeLessThan(20_000);
    const {
      incidents: [incident],
    } = await eventually(async () => {
      const overview = await ask("/overview");
      return overview.incidents.length === 1 && overview;
    }, LONG_MS);
    const openedMs = Date.now() - killedAt;
    expect(incident).toMatchObject({
      kind: "node",
      nodes: [first.id],
      entryPoints: ["cart"],
      open: true,
      endedAt: null,
    });
    await overviewTells({
      state: "down",
      entryPoints: [
        { entry: "cart", state: "gone" },
        { entry: "health-analytics", state: "up" },
      ],
    });

    const second = await start(RUNS[1]);
    const [ended] = await eventually(async () => {
      const all = await nodeIncidents();
      return all.every(({ open }) => !open) && all;
    }, LONG_MS);
    expect(ended).toMatchObject({ id: incident.id, nodes: [first.id], spells: 1, endedAt: expect.any(String) });
    const { nodes } = await ask("/nodes");
    expect(nodes.find(({ node }: { node: string }) => node === second.id)).toMatchObject({
      restarts: 1,
      replaces: { node: first.id, state: "gone" },
    });
    await overviewTells({ state: "up", nodes: { up: 2, gone: 0 }, incidents: [], restarts: 1 });

    second.child.kill("SIGTERM");
    await once(second.child, "exit");
    expect(await eventually(async () => (await stateOf(second.id)) === "stopped", LONG_MS)).toBe(true);
    // Longer than a node may be silent.
    await eventually(async () => {
      const { asOf, nodes: listed } = await ask("/nodes");
      return (
        Date.parse(asOf) - Date.parse(listed.find(({ node }: { node: string }) => node === second.id).heardAt) > 25_000
      );
    }, LONG_MS);
    expect((await nodeIncidents()).map(({ nodes: lost }) => lost)).toEqual([[first.id]]);
    expect(await stateOf(second.id)).toBe("stopped");
    console.log(`A killed node was told of after ${tookMs} ms, its incident after ${openedMs} ms`);
  }, 400_000);
});
