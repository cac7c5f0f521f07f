import { expect, test } from "@jest/globals";
import { build, stop } from "esbuild";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sources } from "../src/build.ts";

const ROOT = join(import.meta.dirname, "../../..");
const { dependencies } = JSON.parse(readFileSync(join(ROOT, "packages/web/package.json"), "utf8")) as {
  dependencies: Record<string, string>;
};

test("pages are built again after a change of any file of ours that is in them", async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["packages/web/src/console/client.tsx", "packages/web/src/shop/client.tsx"],
    ...{ bundle: true, format: "esm", splitting: true, jsx: "automatic", tsconfig: "packages/web/tsconfig.json" },
    ...{ outdir: "none", write: false, metafile: true, loader: { ".svg": "file", ".woff2": "file" } },
    // What others made is in package-lock.json.
    external: ["words:*", ...Object.keys(dependencies).filter((name) => !name.startsWith("@partline/"))],
  });
  await stop();
  const sourcePaths = new Set(sources().map((path) => path.slice(ROOT.length + 1)));
  const inputs = Object.keys(metafile.inputs).filter((input) => !input.startsWith("node_modules/"));
  expect(inputs.length).toBeGreaterThan(100);
  expect(inputs.filter((input) => !sourcePaths.has(input))).toEqual([]);
});
