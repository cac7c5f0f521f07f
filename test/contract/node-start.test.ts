import { expect, test } from "@jest/globals";
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { startNode, type RunningNode } from "../../bin/node.ts";
import { ChannelsUnavailable } from "../../packages/durable/src/channels/port.ts";
import { eventually } from "../support/eventually.ts";
import { openSearchIndex } from "../../packages/parts-search/src/search-index/open.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";

test("a start that one service ends leaves nothing open, so that the next one succeeds in the same process", async () => {
  const port = await freePorts(2);
  const settings = testSettings({
    SERVICES: "catalog,search,http:catalog,http:search",
    CATALOG_PORT: String(port),
    SEARCH_PORT: String(port + 1),
  });
  const listens = () =>
    Promise.all(
      [port, port + 1].map((each) =>
        fetch(`http://127.0.0.1:${each}/health/live`).then(
          () => true,
          () => false,
        ),
      ),
    );
  const resources = (): string[] =>
    process
      .getActiveResourcesInfo()
      .filter((name) => name === "TCPServerWrap" || name === "MessagePort")
      .sort();
  const held = await openSearchIndex({ directory: join(settings.dataDir, "search"), synonyms: [] });
  await expect(startNode(settings)).rejects.toMatchObject({
    name: "SettingsError",
    message: expect.stringContaining("open in another process"),
  });
  await held.close();
  expect(await listens()).toEqual([false, false]);
  expect(resources()).toEqual([]);
  const node = await startNode(settings);
  expect(await listens()).toEqual([true, true]);
  await node.stop();
  expect(await listens()).toEqual([false, false]);
});

test.each(["022", "000"])(
  "what a start writes is its owner's alone under umask %s",
  async (umask) => {
    process.umask(umask);
    const settings = testSettings({
      SERVICES: "catalog,search,ai,media,pipeline,eventstore,http:catalog",
      CATALOG_PORT: String(await freePorts(1)),
    });
    const node = await startNode({ ...settings, dataDir: join(settings.dataDir, "data") });
    const entries = await readdir(settings.dataDir, { recursive: true });
    const open = entries.filter((path) => statSync(join(settings.dataDir, path)).mode & 0o077);
    await node.stop();
    expect(entries).toEqual(
      expect.arrayContaining([
        "data/documents.sqlite-wal",
        "data/events.db",
        "data/objects/.arriving",
        "data/search/lock.db",
      ]),
    );
    expect(open).toEqual([]);
  },
  60_000,
);

test("a node may be stopped as soon as it serves, and is ready when its channels have started", async () => {
  const port = await freePorts(1);
  const url = `http://127.0.0.1:${port}/health/ready`;
  const held = Promise.withResolvers<void>();
  const serving = Promise.withResolvers<RunningNode>();
  const starting = startNode(testSettings({ SERVICES: "cart,http:cart", CART_PORT: String(port) }), (node) => {
    const { channels } = node.runtime.stores!;
    const start = channels.start.bind(channels);
    channels.start = () => held.promise.then(start);
    serving.resolve(node);
  });
  const node = await serving.promise;
  expect(node.stop).toEqual(expect.any(Function));
  const early = await fetch(url);
  expect([early.status, await early.json()]).toMatchObject([503, { status: "starting" }]);
  held.resolve();
  expect(await starting).toEqual(node);
  await eventually(async () => (await fetch(url)).status === 200);
  await node.stop();
});

test("a start that fails ends, though a service does not", async () => {
  const ended = Promise.withResolvers<void>();
  let node: RunningNode | undefined;
  const failing = startNode(
    testSettings({ SERVICES: "cart,http:cart", CART_PORT: String(await freePorts(1)) }),
    (serving) => {
      node = serving;
      serving.broker.createService({ name: "stuck", stopped: () => ended.promise });
      serving.runtime.stores!.channels.start = () => Promise.reject(new ChannelsUnavailable("it has no JetStream"));
    },
  );
  await expect(failing).rejects.toMatchObject({ name: "SettingsError", message: "NATS_URL: it has no JetStream" });
  ended.resolve();
  await node!.stop();
});

test("a start that fails reports why, though its end fails too", async () => {
  const failing = startNode(
    testSettings({ SERVICES: "cart,http:cart", CART_PORT: String(await freePorts(1)) }),
    ({ runtime }) => {
      const { channels } = runtime.stores!;
      channels.start = () => Promise.reject(new ChannelsUnavailable("it has no JetStream"));
      channels.stop = () => Promise.reject(new Error("not open"));
    },
  );
  await expect(failing).rejects.toMatchObject({ name: "SettingsError", message: "NATS_URL: it has no JetStream" });
});

const { MONGO_URL } = process.env;
(MONGO_URL ? test : test.skip)(
  "a password that MongoDB does not take has another error than a server that is away",
  async () => {
    const url = new URL(MONGO_URL!);
    Object.assign(url, { username: "partline", password: "hunter2" });
    const settings = testSettings({
      SERVICES: "cart,http:cart",
      CART_PORT: String(await freePorts(1)),
      MONGO_URL: url.href,
    });
    await expect(startNode(settings)).rejects.toMatchObject({
      name: "SettingsError",
      message: "MONGO_URL: the server does not let this process in (AuthenticationFailed)",
    });
  },
  30_000,
);
