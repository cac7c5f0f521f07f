import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

/** Between the service and Elasticsearch: a line that can be cut, and one that takes all and answers nothing. */
class Line {
  readonly #target = new URL(process.env.ELASTICSEARCH_URL!);
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  isSilent = false;
  port = 0;

  async open(): Promise<void> {
    this.#server = createServer((client) => {
      const server = connect(Number(this.#target.port), this.#target.hostname);
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined).on("close", () => {
          this.#sockets.delete(socket);
          client.destroy();
          server.destroy();
        });
      }
      client.on("data", (data) => this.isSilent || server.write(data));
      server.pipe(client);
    }).listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = (this.#server.address() as { port: number }).port;
  }

  async cut(): Promise<void> {
    const closed = once(this.#server!, "close");
    this.#server!.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

(process.env.ELASTICSEARCH_URL ? describe : describe.skip)("search while Elasticsearch is gone", () => {
  const prefix = elasticsearchTestPrefix("outage");
  const line = process.env.ELASTICSEARCH_URL ? new Line() : (undefined as never);
  let test: TestBroker;

  const importFile = (rows: string) =>
    call(test.broker, "catalog.import", { vendor: "BNS", contentType: "text/csv" }, { stream: Readable.from([`part_number,title\n${rows}\n`]) } as object);
  const ids = async (q: string): Promise<string[]> => (await call(test.broker, "search.search", { q })).parts.map(({ id }) => id);
  const expectRefusals = async (): Promise<void> => {
    const asked = [
      call(test.broker, "search.search", { q: "belt" }), call(test.broker, "search.filters", {}), call(test.broker, "search.suggest", { q: "be" }), call(test.broker, "search.ai", { q: "belt" }),
      call(test.broker, "search.instantsearch", { requests: [{ indexName: "parts" }] }), call(test.broker, "search.aiPart", { id: "bns-1" }),
      call(test.broker, "search.aiAvailability", { partNumbers: ["1"] }), call(test.broker, "search.indexes", {}), call(test.broker, "search.ready", {}),
    ];
    const startedAt = Date.now();
    for (const outcome of await Promise.allSettled(asked)) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "SERVICE_UNAVAILABLE" } });
    expect(Date.now() - startedAt).toBeLessThan(7_000);
    expect(await call(test.broker, "search.health", {})).toMatchObject({ elasticsearch: "error", mongodb: "ok", docCount_es: null, delta: null, aliasTarget: { parts: null, tires: null } });
  };

  beforeAll(async () => {
    await line.open();
    test = await startTestBroker({ services: ["catalog", "search"], settings: testSettings({ ELASTICSEARCH_URL: `http://127.0.0.1:${line.port}`, NATS_NAMESPACE: prefix.slice(0, -1) }) });
    await importFile("1,Belt");
    expect(await ids("belt")).toEqual(["bns-1"]);
  }, 60_000);
  afterAll(async () => {
    await test.stop();
    await line.cut();
    await removeTestIndexes(prefix);
  });

  it.each([
    ["the connection is refused", () => line.cut(), () => line.open()],
    ["nothing is answered", async () => void (line.isSilent = true), async () => void (line.isSilent = false)],
  ])("is refused within seconds when %s, and goes on by itself afterwards", async (_what, fail, mend) => {
    await fail();
    await expectRefusals();
    // What the catalog takes meanwhile is found once the index is there again.
    const number = 100 + Math.floor(Math.random() * 1e6);
    const imported = importFile(`${number},Belt ${number}`);
    await mend();
    await imported;
    await eventually(async () => (await ids(String(number)))[0] === `bns-${number}`, 60_000);
    await call(test.broker, "search.ready", {});
    expect(await call(test.broker, "search.health", {})).toMatchObject({ elasticsearch: "ok", delta: 0 });
  }, 120_000);
});
