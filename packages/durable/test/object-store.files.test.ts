import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import { openObjectStore, readObject } from "../src/object-store/open.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { objectStoreContract } from "./object-store.contract.ts";

const newDirectory = () => mkdtemp(join(tmpdir(), "object-store-"));
let directory: string;

objectStoreContract(
  "Embedded",
  async () => {
    directory = await newDirectory();
    return openObjectStore({ dataDir: directory });
  },
  {
    runs: 150,
    putByOthers: async (key, content) => {
      const path = join(directory, "objects", key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    },
    close: () => rm(directory, { recursive: true }),
  },
);

describe("Embedded object store", () => {
  test("kill -9 in the middle of a put leaves the object as it was, and what had arrived is cleared away in time", async () => {
    const dataDir = await newDirectory();
    const store = await openObjectStore({ dataDir });
    await store.put("crash/kept", Readable.from([Buffer.from("as it was")]));
    const script = fileURLToPath(new URL("./object-store.crash-writer.ts", import.meta.url));
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const arriving = join(dataDir, "objects", ".arriving");
    await eventually(async () => (await readdir(arriving)).length === 2);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect((await readObject(store, "crash/kept")).toString()).toBe("as it was");
    expect(await store.head("crash/new")).toBeUndefined();
    const left = await readdir(arriving);
    expect(left.length).toBe(2);

    // One is of a process that writes still, as far as anybody can see; the other was left an hour ago.
    const twoHoursAgo = Date.now() / 1_000 - 7_200;
    await utimes(join(arriving, left[0]!), twoHoursAgo, twoHoursAgo);
    await store.removeAbandoned();
    expect(await readdir(arriving)).toEqual([left[1]]);
    await utimes(join(arriving, left[1]!), twoHoursAgo, twoHoursAgo);
    (await openObjectStore({ dataDir })).close();
    expect(await readdir(arriving)).toEqual([]);
    await rm(dataDir, { recursive: true });
  }, 60_000);

  test("a key that is the beginning of another is refused, and neither is harmed", async () => {
    const dataDir = await newDirectory();
    const store = await openObjectStore({ dataDir });
    const body = (text: string) => Readable.from([Buffer.from(text)]);
    await store.put("a/b", body("child"));
    await expect(store.put("a", body("x"))).rejects.toMatchObject({ code: "BAD_KEY" });
    await expect(store.put("a/b/c", body("x"))).rejects.toMatchObject({ code: "BAD_KEY" });
    await expect(store.get("a")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(store.get("a/b/c")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await store.head("a")).toBeUndefined();
    await store.delete("a");
    expect((await readObject(store, "a/b")).toString()).toBe("child");
    expect(await readdir(join(dataDir, "objects", ".arriving"))).toEqual([]);
    await store.delete("a/b");
    expect(await readdir(join(dataDir, "objects"))).toEqual([".arriving"]);
    await rm(dataDir, { recursive: true });
  });

  test("a folder that cannot be used is UNAVAILABLE, at the start and later", async () => {
    const dataDir = await newDirectory();
    await writeFile(join(dataDir, "objects"), "in the way");
    await expect(openObjectStore({ dataDir })).rejects.toMatchObject({ name: "ObjectStoreError", code: "UNAVAILABLE" });
    await rm(join(dataDir, "objects"));
    const store = await openObjectStore({ dataDir });
    await rm(join(dataDir, "objects"), { recursive: true });
    await expect(store.ping()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(store.put("a", Readable.from([Buffer.from("x")]))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await rm(dataDir, { recursive: true });
  });
});
