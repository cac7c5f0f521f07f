import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

test("files that run out at any step of keeping an image fail that image alone, with a code that says so", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "media-files-"));
  const script = fileURLToPath(new URL("./media.few-files.ts", import.meta.url));
  const command = 'ulimit -n 128; exec "$0" --disable-warning=ExperimentalWarning "$@"';
  const { stdout } = await promisify(execFile)("sh", ["-c", command, process.execPath, script, dataDir]);
  const outcomes = JSON.parse(stdout) as string[];
  expect(outcomes).toHaveLength(13);
  // UNAVAILABLE is the object store's, SERVICE_UNAVAILABLE that of a renderer that could not be started.
  expect(
    [...new Set(outcomes)].filter((code) => !["kept", "EMFILE", "UNAVAILABLE", "SERVICE_UNAVAILABLE"].includes(code)),
  ).toEqual([]);
  expect(outcomes[0]).toBe("EMFILE");
  expect(outcomes.at(-1)).toBe("kept");
  await rm(dataDir, { recursive: true });
}, 120_000);
