import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { withFewFiles } from "../support/few-files.ts";

test("files that run out at any step of keeping an image fail that image alone, with a code that says so", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "media-files-"));
  const outcomes = (await withFewFiles(new URL("./media.few-files.ts", import.meta.url), dataDir)) as string[];
  expect(outcomes).toHaveLength(13);
  // UNAVAILABLE is the object store's.
  expect([...new Set(outcomes)].filter((code) => !["kept", "EMFILE", "UNAVAILABLE"].includes(code))).toEqual([]);
  expect(outcomes[0]).toBe("EMFILE");
  expect(outcomes.at(-1)).toBe("kept");
  await rm(dataDir, { recursive: true });
}, 120_000);
