import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Answer } from "../../bin/repl/command.ts";
import { createNodeService } from "../../broker/cluster/node-service.ts";
import { getRuntime } from "../../broker/runtime.ts";
import { eventually } from "../support/eventually.ts";
import { manualPdf, upload } from "../support/manuals.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { runLine } from "./repl.support.ts";
import { importPrices } from "../support/import-prices.ts";

describe("The REPL's commands for operators of a cluster", () => {
  let test: TestBroker;
  const told: string[] = [];
  let short: Buffer;
  let long: Buffer;
  beforeAll(async () => {
    // Before the nodes start: while it is drawn, none of them would hear another.
    short = await manualPdf({ pages: 1, title: "Short" });
    long = await manualPdf({ pages: 200, title: "Long" });
    const settings = testSettings({ SERVICES: "catalog,search,pipeline,http" });
    test = await startTestBroker({
      settings,
      transport: "fake",
      services: [
        (broker) => {
          getRuntime(broker).leave = () => told.push(broker.nodeID);
          return createNodeService(broker, "worker.example");
        },
        "catalog",
        "search",
        "pipeline",
      ],
    });
  });
  afterAll(() => test.stop());

  const type = (line: string): Promise<Answer | string> => runLine(test.broker, line);
  const answer = async (line: string): Promise<Answer> => {
    const given = await type(line);
    if (typeof given === "string") throw new Error(given);
    for (const row of given.rows) expect(row).toHaveLength(given.columns.length);
    return given;
  };

  it("list the nodes, each with what it runs and how it is, in the order of their names, and say who does not answer", async () => {
    const { columns, rows, note } = await answer("cluster nodes");
    expect(columns).toEqual(["node", "state", "version", "up", "cpu", "memory", "serving", "waiting", "runs"]);
    expect(rows.map(([id]) => id)).toEqual(["node-0", "node-1", "node-2", "node-3", "node-4"]);
    expect(rows[1]).toEqual([
      "node-1",
      "running",
      "0.0.0-test",
      expect.stringMatching(/^\d+ (s|min|h)$/),
      expect.stringMatching(/^\d+ %$/),
      expect.stringMatching(/^\d+ MB$/),
      "0",
      "0",
      "catalog search pipeline http (14)",
    ]);
    expect(rows[0]![1]).toBe("leaving or silent");
    expect(note).toBe("5 of 5 nodes, 4 leaving or silent");
    expect((await answer("cluster nodes http")).rows.map(([id]) => id)).toEqual(["node-1"]);
    expect((await answer("cluster nodes node-3")).note).toBe("1 of 5 nodes, 1 leaving or silent");
    expect((await answer("cluster nodes payment")).rows).toEqual([]);
  });

  it("have a node leave, for admins alone", async () => {
    expect(await type("cluster drain node-9")).toBe(
      "No node is called node-9; cluster nodes lists them. Usage: cluster drain <node>",
    );
    expect((await answer("cluster drain node-1")).rows).toEqual([
      ["node-1", "draining: it finishes its work, then its process ends"],
    ]);
    await eventually(() => told.length > 0);
    expect(told).toEqual(["node-1"]);
    await expect(test.broker.call("$partline.drain", {}, { nodeID: "node-1" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(test.broker.call("$partline.status", {}, { nodeID: "node-1" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });

  it("start a sync, show its progress, and list it", async () => {
    expect(await type("sync start acme")).toMatch(/^NOT_FOUND: /);
    const [[syncId]] = (await answer("sync start kmt")).rows as [[string]];
    expect((await answer(`sync status ${syncId}`)).rows[0]!.slice(0, 3)).toEqual([syncId, "tires", "KMT"]);
    const listed = await answer("sync list");
    expect([listed.rows.map(([id]) => id), listed.note]).toEqual([[syncId], "1 of 1"]);
    expect(await type("sync status sync_nothing")).toMatch(/^NOT_FOUND: /);
  });

  it("rebuild an index, show its progress, list the indexes, and go back to the one before", async () => {
    const file = "part_number,title,list_price\n100,Carburetor,10\n200,Deck Belt,20\n";
    await importPrices(test.broker, file);
    const live = async (): Promise<string> =>
      (await answer("search-index list")).rows
        .filter(([index, , , , isLive]) => index === "parts" && isLive === "live")
        .map(([, name]) => name)
        .join();
    // An index that is empty is not kept.
    await eventually(
      async () => (await answer("search-index list")).note === "2 of 2 parts of the catalog are in the live index",
      60_000,
    );
    const before = await live();
    const [[buildId]] = (await eventually(() => answer("search-index reindex parts force"), 60_000)).rows as [[string]];
    const built = await eventually(async () => {
      const [row] = (await answer(`search-index build ${buildId}`)).rows;
      return row![1] === "published" && row!;
    }, 60_000);
    expect([built[2], built[4]]).toEqual(["parts", "2"]);
    expect(await live()).toBe(built[3]);
    expect((await answer("search-index list")).note).toBe("2 of 2 parts of the catalog are in the live index");
    expect((await answer("search-index rollback parts")).rows).toEqual([["parts", built[3], before]]);
    expect(await live()).toBe(before);
    expect(await type("search-index rollback parts")).toBe("NOT_FOUND: An older index of parts not found");
    expect(await type("search-index rollback words")).toMatch(/'index'/);
  }, 150_000);

  it("list the pipeline's jobs, show one with its files, and cancel one", async () => {
    expect(await answer("jobs list")).toMatchObject({ rows: [], note: "0 of 0" });
    const read = await upload(test.broker, [{ name: "file", filename: "short.pdf", content: short }]);
    await eventually(async () => (await answer(`jobs show ${read.batch_id}`)).rows[0]![1] === "completed", 60_000);
    expect(await answer(`jobs show ${read.batch_id}`)).toEqual({
      columns: ["file", "status", "pages", "parts", "tables", "images", "error"],
      rows: [["short.pdf", "completed", "1", "2", "1", "0", ""]],
      note: `${read.batch_id} is completed, 100 % done`,
    });
    // Too long to be read before it is cancelled.
    const { batch_id } = await upload(test.broker, [{ name: "file", filename: "long.pdf", content: long }]);
    const cancelled = await answer(`jobs cancel ${batch_id}`);
    expect([cancelled.rows[0]!.slice(0, 2), cancelled.note]).toEqual([
      ["long.pdf", "cancelled"],
      expect.stringContaining(`${batch_id} is cancelled`),
    ]);
    expect((await answer("jobs list")).rows.map(([id, names, status]) => [id, names, status])).toEqual([
      [batch_id, "long.pdf", "cancelled"],
      [read.batch_id, "short.pdf", "completed"],
    ]);
    expect(await type("jobs list many")).toBe('"many" is not a number from 1 to 100. Usage: jobs list [how many]');
    expect(await type("jobs show batch_nothing")).toMatch(/^NOT_FOUND: |batch_id/);
    expect(await type("jobs cancel batch_nothing")).toMatch(/^NOT_FOUND: |batch_id/);
  }, 150_000);
});
