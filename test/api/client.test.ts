import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { learnStock } from "../support/dealer-stock.ts";
import { manualPdf } from "../support/manuals.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN } from "../support/system.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = join(ROOT, "packages/client");
const TSC = join(ROOT, "node_modules/typescript-7/bin/tsc");
const run = promisify(execFile);

const README = readFileSync(join(CLIENT, "README.md"), "utf8");
const examples = [...README.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!);

const system = useSystem();
let folder: string;

/** A project with the examples, and the modules of the reader's own that they name. */
beforeAll(async () => {
  await learnStock(system, "bns", "carburetor");
  folder = mkdtempSync(join(tmpdir(), "partline-examples-"));
  const installed = join(folder, "node_modules/@partline/client");
  await run(process.execPath, [join(CLIENT, "build.ts"), join(installed, "dist")]);
  cpSync(join(CLIENT, "package.json"), join(installed, "package.json"));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const here: [string, string][] = [
    ["https://api.shop.example", system.url("gateway")],
    ["https://cart.shop.example", system.url("cart")],
    ["https://events.shop.example", system.url("eventstore")],
    ["https://catalog.shop.example", system.url("catalog")],
    ['"ADMIN_TOKEN"', JSON.stringify(ADMIN_TOKEN)],
  ];
  examples.forEach((code, index) =>
    write(
      `example-${index}.ts`,
      here.reduce((text, [from, to]) => text.replaceAll(from, to), code),
    ),
  );
  const token = await system.token("customer");
  write("session.ts", `export const getToken = (): string => ${JSON.stringify(token)};\n`);
  const manual = Buffer.from(await manualPdf({ pages: 2, title: "Read through the client" })).toString("base64");
  write(
    "form.ts",
    `const bytes = Uint8Array.from(atob("${manual}"), (sign) => sign.charCodeAt(0));\n` +
      'export const chosenFile = new File([bytes], "manual.pdf", { type: "application/pdf" });\n',
  );
  write("package.json", '{ "type": "module" }');
  write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        ...{ target: "ES2022", lib: ["ES2022", "DOM", "DOM.Iterable"], module: "nodenext", types: [] },
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
        ...{ noEmit: true, allowImportingTsExtensions: true, preserveSymlinks: true },
      },
      include: ["*.ts"],
    }),
  );
});

describe("the examples of packages/client/README.md", () => {
  test("are strict TypeScript, with the types of a browser alone", async () => {
    const { stdout } = await run(process.execPath, [TSC, "-p", folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  test.each(examples.map((code, index) => [/\.(\w+\.\w+)\(/.exec(code.split("createClient(")[1]!)?.[1], index]))(
    "%s runs (%i)",
    async (_what, index) => {
      const { stdout, stderr } = await run(process.execPath, ["--no-warnings", join(folder, `example-${index}.ts`)], {
        timeout: 60_000,
      });
      expect(stderr).toBe("");
      expect(stdout.trim()).not.toMatch(/^$|^undefined/);
    },
  );
});
