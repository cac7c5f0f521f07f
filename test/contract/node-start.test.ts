import { expect, test } from "@jest/globals";
import { join } from "node:path";
import { startNode } from "../../bin/node.ts";
import { openSearchIndex } from "../../mixins/search-index/open.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";

test("a start that one service ends leaves nothing open, so that the next one succeeds in the same process", async () => {
  const port = await freePorts(2);
  const settings = testSettings({ SERVICES: "catalog,search,http:catalog,http:search", CATALOG_PORT: String(port), SEARCH_PORT: String(port + 1) });
  const listens = () => Promise.all([port, port + 1].map((each) => fetch(`http://127.0.0.1:${each}/health/live`).then(() => true, () => false)));
  const resources = (): string[] => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap" || name === "MessagePort").sort();
  const held = await openSearchIndex({ directory: join(settings.dataDir, "search"), synonyms: [] });
  await expect(startNode(settings)).rejects.toMatchObject({ name: "SettingsError", message: expect.stringContaining("open in another process") });
  await held.close();
  expect(await listens()).toEqual([false, false]);
  expect(resources()).toEqual([]);
  const node = await startNode(settings);
  expect(await listens()).toEqual([true, true]);
  await node.stop();
  expect(await listens()).toEqual([false, false]);
});
