import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import { openObjectStore, readObject } from "../src/object-store/open.ts";
import type { S3Location } from "../src/object-store/s3/bucket.ts";
import { startScriptedServer, status, type ScriptedAnswer } from "../../../test/support/scripted-server.ts";
import { putByOthers, removeTestBucket, s3TestLocation } from "../../../test/support/s3.ts";
import { startTcpProxy } from "../../../test/support/tcp-proxy.ts";
import { objectStoreContract } from "./object-store.contract.ts";

describe("a bucket that another process is about to make", () => {
  const refused =
    (code: number, name: string): ScriptedAnswer =>
    (response) =>
      void response
        .writeHead(code, { "content-type": "application/xml" })
        .end(`<?xml version="1.0"?><Error><Code>${name}</Code><Message>no</Message></Error>`);
  const absent = status(404);
  const openAt = (endpoint: string) =>
    openObjectStore({
      s3: { endpoint, region: "us-east-1", bucket: "made", accessKeyId: "key", secretAccessKey: "secret" },
      dataDir: "",
    });

  test("is waited for through any answer of the server", async () => {
    const server = await startScriptedServer(
      ...[absent, refused(404, "NoSuchBucket")],
      ...[absent, refused(409, "BucketAlreadyOwnedByYou")],
      ...[absent, status(200), absent],
      status(200),
    );
    const store = await openAt(server.url);
    expect(server.requests.map(({ method }) => method).join(" ")).toBe("HEAD PUT HEAD PUT HEAD PUT HEAD HEAD");
    store.close();
    await server.close();
  });

  test("and one that never comes is named by its setting", async () => {
    const server = await startScriptedServer(absent);
    await expect(openAt(server.url)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/^S3_ENDPOINT: what answers there answers 404/),
    });
    await server.close();
  }, 60_000);
});

if (process.env.S3_ENDPOINT) {
  const opened = (location: Partial<S3Location> = {}) =>
    openObjectStore({ s3: { ...s3TestLocation(), ...location }, dataDir: "" });
  const ofContract = s3TestLocation();

  objectStoreContract("S3", () => opened(ofContract), {
    runs: 20,
    putByOthers: (key, content) => putByOthers(ofContract, key, content),
    close: () => removeTestBucket(ofContract),
  });

  describe("S3 object store", () => {
    test("many processes may make the same bucket at once", async () => {
      const location = s3TestLocation();
      const stores = await Promise.all(Array.from({ length: 4 }, () => openObjectStore({ s3: location, dataDir: "" })));
      await stores[0]!.put("made/once", Readable.from([Buffer.from("x")]));
      expect((await readObject(stores[3]!, "made/once")).toString()).toBe("x");
      for (const store of stores) store.close();
      await removeTestBucket(location);
    });

    test("an unusable setting is named, and no secret is", async () => {
      const wrongKey = opened({ secretAccessKey: "not-the-secret" });
      await expect(wrongKey).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(/^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: /),
      });
      await expect(wrongKey).rejects.not.toThrow("not-the-secret");
      const silent = createServer().listen(0, "127.0.0.1");
      await once(silent, "listening");
      const { port } = silent.address() as AddressInfo;
      silent.close();
      await expect(opened({ endpoint: `http://127.0.0.1:${port}` })).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(/^S3_ENDPOINT: no S3 answers/),
      });
    });

    test("a server that goes away is UNAVAILABLE and nothing is half-written; when it is back, all goes on", async () => {
      const location = s3TestLocation();
      const proxy = await startTcpProxy(location.endpoint);
      const through = await openObjectStore({ s3: { ...location, endpoint: proxy.url }, dataDir: "" });
      await through.put("outage/kept", Readable.from([Buffer.from("as it was")]));
      await proxy.cut();
      await expect(through.put("outage/kept", Readable.from([Buffer.from("new")]))).rejects.toMatchObject({
        code: "UNAVAILABLE",
      });
      await expect(through.ping()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await expect(through.get("outage/kept")).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await proxy.restore();
      expect((await readObject(through, "outage/kept")).toString()).toBe("as it was");
      through.close();
      await proxy.close();
      await removeTestBucket(location);
    }, 60_000);
  });
} else {
  describe.skip("object store: S3", () => {
    test("needs S3_ENDPOINT", () => undefined);
  });
}
