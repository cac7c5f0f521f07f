import { describe, expect, test } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { licencesOf, type LockedPackage } from "../support/licences.ts";

interface Entry extends LockedPackage {
  version: string;
  integrity?: string;
  hasInstallScript?: true;
  bin?: Record<string, string>;
  os?: string;
  cpu?: string;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Entry> };
const installed = Object.entries(packages).filter(([folder, { link }]) => folder.includes("node_modules/") && !link);
const nodes = installed.filter(([, { bin }]) => bin?.node !== undefined);

/** Packages that have a script to run when they are installed, and why they do without. */
const WITHOUT_THEIR_SCRIPT = {
  "@parcel/watcher": "compiles where no binary fits; binaries are packages of their own",
  "@scarf/scarf": "counts installations of swagger-ui-dist",
  "es5-ext": "prints a political message",
  esbuild: "compares its binary's version; binaries are packages of their own",
  "tesseract.js": "prints a request for donations",
  "unrs-resolver": "fetches a binary where none fits; binaries are packages of their own",
};

describe("package-lock.json", () => {
  test("has the hash of every package", () => {
    const without = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
    expect(without.map(([folder]) => folder)).toEqual([]);
  });

  test("has one version of Node for each platform that is named", () => {
    expect(nodes.map(([, { os, cpu }]) => `${os} ${cpu}`).sort()).toEqual(["linux arm64", "linux x64", "win32 x64"]);
    expect(new Set(nodes.map(([, { version }]) => `v${version}`))).toEqual(new Set([process.version]));
  });

  test("names no package that needs a script to be installed; npm runs none", () => {
    const withScript = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([folder]) => folder.replace("node_modules/", ""));
    expect(withScript.sort()).toEqual(Object.keys(WITHOUT_THEIR_SCRIPT));
    expect(read(".npmrc").split("\n")).toContain("ignore-scripts=true");
  });

  test("has one fastest-validator: the contracts' rules are compiled by Moleculer's own", () => {
    const copies = Object.keys(packages).filter((folder) => folder.endsWith("node_modules/fastest-validator"));
    expect(copies).toEqual(["node_modules/fastest-validator"]);
    const { dependencies } = JSON.parse(read("packages/api-contracts/package.json")) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies["fastest-validator"]).toBe(packages[copies[0]!]!.version);
  });

  test("has one pdf.js: pdf-parse checks the document that is read", () => {
    const copies = Object.keys(packages).filter((folder) => folder.endsWith("node_modules/pdfjs-dist"));
    expect(copies).toEqual(["node_modules/pdfjs-dist"]);
  });
});

test("docs/dependencies.md has a line for each package that a workspace names, below one that does", () => {
  const manifests = globSync(["package.json", "packages/*/package.json"], { cwd: ROOT }).map(
    (file) => JSON.parse(read(file)) as { name: string } & Record<string, Record<string, string> | undefined>,
  );
  const named = new Map(
    manifests.map((manifest) => [
      manifest.name.replace("@partline/", ""),
      ["dependencies", "devDependencies", "optionalDependencies"]
        .flatMap((kind) => Object.keys(manifest[kind] ?? {}))
        .filter((name) => !name.startsWith("@partline/")),
    ]),
  );
  const lines: string[] = [];
  for (const section of read("docs/dependencies.md").split("\n## ").slice(1)) {
    const workspace = /`(.+)`/.exec(section)?.[1] ?? "";
    const packagesOfSection = [...section.matchAll(/^\| `(.+?)` \|/gm)].map(([, name]) => name!);
    expect(named.get(workspace)).toEqual(expect.arrayContaining(packagesOfSection));
    lines.push(...packagesOfSection);
  }
  expect(lines.sort()).toEqual([...new Set([...named.values()].flat())].sort());
});

describe("docs/licences.md", () => {
  test("has every package of production by its licence", () => {
    const licences = licencesOf(packages);
    if (process.env.RECORD_LICENCES) writeFileSync(join(ROOT, "docs/licences.md"), licences);
    expect(read("docs/licences.md")).toBe(licences);
  });

  test("has no licence of which nothing is said", () => {
    const deep = { "node_modules/a": { license: "MIT" }, "node_modules/a/node_modules/b": { license: "AGPL-3.0" } };
    expect(() => licencesOf(deep)).toThrow("b: nothing is said of its licence (AGPL-3.0)");
    expect(() => licencesOf({ "node_modules/c": {} })).toThrow("c: nothing is said of its licence (none)");
    expect(licencesOf({ "node_modules/d": { license: "AGPL-3.0", dev: true } })).not.toContain("AGPL");
  });
});

describe("bin/partline.mjs", () => {
  const { platform, arch } = process;
  const folder = "node_modules/node-here";
  const integrity = "sha512-right";
  const here: Partial<Entry> = { bin: { node: "bin/node" }, os: platform, cpu: arch, integrity };

  /** A folder where npm installs nothing, and `files` are all that is there. */
  function bare(locked: Record<string, Partial<Entry>> | string, files: Record<string, string>): string {
    const root = mkdtempSync(join(tmpdir(), "bare-"));
    mkdirSync(join(root, "bin"));
    for (const file of readdirSync(join(ROOT, "bin")).filter((name) => name.endsWith(".mjs"))) {
      copyFileSync(join(ROOT, "bin", file), join(root, "bin", file));
    }
    const lockFile = typeof locked === "string" ? locked : JSON.stringify({ packages: locked });
    const npm = "#!/bin/sh\nexit 0\n";
    for (const [path, text] of Object.entries({ "package-lock.json": lockFile, npm, ...files })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text, { mode: 0o755 });
    }
    return root;
  }

  const COMMAND = ["bin/partline.mjs", "format"];
  const optionsIn = (root: string) => ({ cwd: root, env: { PATH: `${root}:${process.env.PATH}` } });

  function runBare(locked: Record<string, Partial<Entry>> | string, files: Record<string, string> = {}) {
    const options = { ...optionsIn(bare(locked, files)), encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, COMMAND, options);
    return { status, stdout, stderr };
  }

  const installing = "Installing packages (once) ...\n";
  const notInstalled = {
    status: 1,
    stdout: "",
    stderr: `${installing}npm did not install ${folder}: it cannot be fetched, or its hash is not the one in package-lock.json.\n`,
  };

  test("refuses to go on without the lock file's Node, which npm leaves out where its hash is wrong", () => {
    expect(runBare({ [folder]: here })).toEqual(notInstalled);
  });

  const binary = { [`${folder}/bin/node`]: "#!/bin/sh\necho ran\n" };
  const installed = (text: string) => ({ ...binary, "node_modules/.package-lock.json": text });

  test("runs the Node that npm unpacked by the lock file's hash", () => {
    const known = installed(JSON.stringify({ packages: { [folder]: here } }));
    expect(runBare({ [folder]: here }, known)).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
  });

  test.each([
    ["is of another hash", JSON.stringify({ packages: { [folder]: { ...here, integrity: "sha512-other" } } })],
    ["is nowhere said to be", JSON.stringify({ packages: { [folder]: null } })],
    ["is told of by no JSON", '{ "packages": {'],
    ["is told of by JSON of another kind", "[]"],
  ])("reinstalls, and never runs, a Node that %s", (_, text) => {
    expect(runBare({ [folder]: here }, installed(text))).toEqual(notInstalled);
    expect(runBare({ [folder]: here }, binary)).toEqual(notInstalled);
  });

  test.each([
    ["'{'", "{", "package-lock.json is not there, or is no lock file of npm's.\n"],
    ["another object", "{}", "package-lock.json is not there, or is no lock file of npm's.\n"],
    [
      "a lock file without Node's hash",
      JSON.stringify({ packages: { [folder]: { ...here, integrity: undefined } } }),
      `package-lock.json has no hash (sha512) of ${folder}, the Node that runs Partline.\n`,
    ],
    [
      "a lock file with a weak hash of Node",
      JSON.stringify({ packages: { [folder]: { ...here, integrity: "sha1-right" } } }),
      `package-lock.json has no hash (sha512) of ${folder}, the Node that runs Partline.\n`,
    ],
  ])("refuses %s in one line", (_, lockFile, stderr) => {
    expect(runBare(lockFile, installed(lockFile))).toEqual({ status: 1, stdout: "", stderr });
  });

  test("goes on with the Node that runs it where the lock file has none for the platform", () => {
    const elsewhere = { bin: { node: "bin/node" }, os: platform, cpu: "pdp11" };
    const { stderr } = runBare({ "node_modules/node-elsewhere": elsewhere });
    expect(stderr).toMatch(/Cannot find module '.*format.ts'/);
  });

  test("installs once where several begin at once, after one that was killed and left its ticket", async () => {
    const npm = `#!/bin/sh
      echo npm >> npm-runs; sleep 1
      mkdir -p ${folder}/bin; printf '#!/bin/sh\\necho ran; ls -a\\n' > ${folder}/bin/node; chmod +x ${folder}/bin/node
      cp package-lock.json node_modules/.package-lock.json`;
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const root = bare({ [folder]: here }, { npm, [`.installing/${pid}`]: "" });
    const runs = [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, COMMAND, optionsIn(root));
      const printed = text(child.stdout);
      return [(await once(child, "close"))[0], await printed];
    });
    const ended = await Promise.all(runs);
    expect(ended).toEqual(runs.map(() => [0, expect.stringMatching(/^ran$/m)]));
    expect(readFileSync(join(root, "npm-runs"), "utf8")).toBe("npm\n");
    expect(existsSync(join(root, ".installing"))).toBe(false);
    // By the time that the last of them ran, nobody's turn was left to end.
    expect(ended.some(([, printed]) => !printed!.toString().includes(".installing"))).toBe(true);
  });
});
