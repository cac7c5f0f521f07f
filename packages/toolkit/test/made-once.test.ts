import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { makeOnce } from "../src/made-once.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "made-once-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("what is there is read and not made again, and is its owner's alone", () => {
  const path = join(directory, "new", "secret");
  expect(makeOnce(path, () => "first")).toBe("first");
  expect(makeOnce(path, () => "second")).toBe("first");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, "new")).mode & 0o777).toBe(0o700);
});

test("those that start at the same moment, of one process id as in containers, read the same and leave nothing else", async () => {
  const [WORKERS, FILES] = [3, 200];
  const module = new URL("../src/made-once.ts", import.meta.url).href;
  const script = `
    const { parentPort, workerData: { turns, directory, workers, files } } = require("node:worker_threads");
    import(${JSON.stringify(module)}).then(({ makeOnce }) => {
      const read = [];
      for (let file = 0; file < files; file += 1) {
        // All wait until the last is here.
        if (Atomics.add(turns, file, 1) + 1 === workers) Atomics.notify(turns, file);
        for (let seen; (seen = Atomics.load(turns, file)) < workers; ) Atomics.wait(turns, file, seen, 1_000);
        read.push(makeOnce(directory + "/" + file, () => String(Math.random())));
      }
      parentPort.postMessage(read);
    });`;
  const workerData = {
    turns: new Int32Array(new SharedArrayBuffer(FILES * 4)),
    directory,
    workers: WORKERS,
    files: FILES,
  };
  const read = await Promise.all(
    Array.from(
      { length: WORKERS },
      () =>
        new Promise<string[]>((resolve, reject) => {
          new Worker(script, { eval: true, workerData }).once("message", resolve).once("error", reject);
        }),
    ),
  );
  expect(read[0]).toHaveLength(FILES);
  for (const other of read) expect(other).toEqual(read[0]);
  for (const text of read[0]!) expect(text).not.toBe("");
  expect(readdirSync(directory)).toHaveLength(FILES);
});
