import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFile } from "../src/lock-file.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "lock-file-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a lock has one holder, also within one process, until it is released", () => {
  const path = join(directory, "lock");
  const lock = lockFile(path)!;
  expect(lockFile(path)).toBeUndefined();
  const other = lockFile(join(directory, "other"));
  expect(other).toBeDefined();
  other!.release();
  lock.release();
  const again = lockFile(path);
  expect(again).toBeDefined();
  again!.release();
});

test("another process's lock ends with it, though it is killed", async () => {
  const path = join(directory, "lock");
  const module = new URL("../src/lock-file.ts", import.meta.url).href;
  const script = `import { lockFile } from ${JSON.stringify(module)};
    globalThis.lock = lockFile(process.argv[1]);
    console.log(Boolean(globalThis.lock));
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script, path], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const [printed] = (await once(child.stdout, "data")) as [Buffer];
  expect(printed.toString()).toBe("true\n");
  expect(lockFile(path)).toBeUndefined();
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  const lock = lockFile(path);
  expect(lock).toBeDefined();
  lock!.release();
});

test("a path that cannot be opened is not taken for a lock", () => {
  expect(() => lockFile(join(directory, "absent", "lock"))).toThrow("unable to open database file");
});
