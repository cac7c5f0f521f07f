import { expect, test } from "@jest/globals";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { createSources } from "../support/source-closure.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("what decides whether a file is linted again is all that the compiler reads of ours for it", () => {
  const file = "services/cart/own-carts.ts";
  const options: ts.CompilerOptions = {
    allowImportingTsExtensions: true,
    noEmit: true,
    noLib: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
  };
  const files = ts
    .createProgram([`${ROOT}${file}`], options)
    .getSourceFiles()
    .map(({ fileName }) => relative(ROOT, fileName));
  const ours = files.filter((name) => !name.includes("node_modules/"));
  const closure = createSources(ROOT).findClosure(file);
  expect(ours).toContain("packages/durable/src/document-store/compare-and-set.ts");
  expect(ours.filter((name) => !closure.includes(name))).toEqual([]);
});
