import { openWorkFiles } from "@partline/toolkit";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

/** In a folder of its own. */
const work = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), "work-files-")), "work");

test("work that was done is done, also if what it leaves cannot be removed", async () => {
  const directory = await work();
  const files = await openWorkFiles(directory);
  const done = files.use(async (path) => {
    await writeFile(path(), "left");
    // From now on nothing in it can be written or removed.
    await rm(directory, { recursive: true });
    await writeFile(directory, "");
    return "done";
  });
  await expect(done).resolves.toBe("done");
});

const COPIES = new URL("../../services/pipeline/files/local-copies.ts", import.meta.url).href;
const SCRIPT = `
  import { rm, writeFile } from "node:fs/promises";
  import { openLocalCopies } from "${COPIES}";
  const [, directory] = process.argv;
  const copies = await openLocalCopies(directory, {});
  await rm(directory, { recursive: true });
  await writeFile(directory, "");
  await copies.use("sha256", async () => undefined).catch(({ code }) => console.log(code));
`;

test("a copy that can neither be written nor removed fails what wanted it, and not the process", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", SCRIPT],
    await work(),
  ]);
  expect(stdout).toBe("EEXIST\n");
});
