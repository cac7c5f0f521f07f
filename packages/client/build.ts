/** Makes `dist/`, what is published: one module for browsers and Node, and its types. `npm pack` runs it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { buildSync } from "esbuild";
import ts from "typescript";
import { generateContract } from "./generate.ts";

/** Sources whose types nobody outside sees. */
const INTERNAL = ["request.ts", "server-sent-events.ts"];
const SOURCES = join(import.meta.dirname, "src");

const built = resolve(process.argv[2] ?? join(import.meta.dirname, "dist"));
await generateContract();
rmSync(built, { recursive: true, force: true });
mkdirSync(built, { recursive: true });
buildSync({
  entryPoints: [join(SOURCES, "index.ts")],
  outfile: join(built, "index.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  logLevel: "warning",
});
for (const name of readdirSync(SOURCES).filter((file) => !INTERNAL.includes(file))) {
  const { outputText } = ts.transpileDeclaration(readFileSync(join(SOURCES, name), "utf8"), {
    fileName: name,
    compilerOptions: { isolatedDeclarations: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
  });
  const types = outputText.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"');
  writeFileSync(join(built, `${basename(name, ".ts")}.d.ts`), types);
}
