/** Makes what is generated of the TypeScript client, from the contracts, in the folder of the argument. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import ts from "typescript";
import { contracts } from "../../../services/all-contracts.ts";
import { clientContract } from "./contract.ts";

const CLIENT = fileURLToPath(new URL("../../../clients/typescript", import.meta.url));
const ESBUILD = fileURLToPath(new URL("../../../node_modules/esbuild/bin/esbuild", import.meta.url));
/** Sources whose types nobody outside sees. */
const INTERNAL = ["request.ts", "server-sent-events.ts"];
const NOTE = "// Made by `npm run docs` from the sources in src/.";

const folder = resolve(process.argv[2] ?? CLIENT);
const [sources, built] = [join(folder, "src"), join(folder, "dist")];
if (folder !== CLIENT) cpSync(join(CLIENT, "src"), sources, { recursive: true });
const contract = await format(clientContract(contracts), { parser: "typescript", printWidth: 120 });
writeFileSync(join(sources, "contract.ts"), contract);
rmSync(built, { recursive: true, force: true });
mkdirSync(built);

execFileSync(
  process.execPath,
  [
    ESBUILD,
    ...[
      "src/index.ts",
      "--bundle",
      "--format=esm",
      "--target=es2022",
      "--outfile=dist/index.js",
      `--banner:js=${NOTE}`,
    ],
    "--log-level=warning",
  ],
  { cwd: folder },
);
for (const name of readdirSync(sources).filter((file) => !INTERNAL.includes(file))) {
  const { outputText } = ts.transpileDeclaration(readFileSync(join(sources, name), "utf8"), {
    fileName: name,
    compilerOptions: { isolatedDeclarations: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
  });
  writeFileSync(
    join(built, `${basename(name, ".ts")}.d.ts`),
    `${NOTE}\n${outputText}`.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'),
  );
}
