#!/usr/bin/env node
// Runs on any Node from 20 on: installs missing packages, then continues with their Node.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import nodeModule from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "./node-options.mjs";
import { whenNpmEnds } from "./parent.mjs";

const QUIETLY = ["--disable-warning=ExperimentalWarning"];
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const TSC = ["node_modules/typescript-7/bin/tsc"];
/** Options by which tsc looks again only at what changed. */
const keepIn = (name) => ["--incremental", "--tsBuildInfoFile", `node_modules/.cache/types/${name}.tsbuildinfo`];
const COMMANDS = {
  start: ["bin/start.ts"],
  repl: ["bin/repl.ts"],
  test: ["node_modules/jest/bin/jest.js"],
  lint: ["test/support/lint.ts"],
  types: [...TSC, "-p", ".", ...keepIn("core")],
  drill: ["test/drill/drill.ts"],
  schedules: ["packages/durable/test/schedules/schedules.ts"],
  "client-types": [...TSC, "-p", "packages/client"],
  "web-types": [...TSC, "-p", "packages/web", ...keepIn("web")],
  format: ["test/support/format.ts"],
  layers: [
    "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "err",
    "bin",
    "broker",
    "gateway",
    "mixins",
    "packages",
    "services",
    "moleculer.config.ts",
  ],
  prose: ["test/support/prose/lint.ts"],
  names: ["test/support/names/lint.ts"],
  bench: [],
  backup: ["bin/backup.ts"],
  restore: ["bin/restore.ts"],
  embeddings: ["bin/embeddings.ts"],
  soak: ["packages/bench/src/soak.ts"],
  mcp: ["bin/mcp.ts"],
  sandbox: ["bin/sandbox.ts"],
  setup: ["bin/setup.ts"],
};

/** Commands that read the half of the client that is made from the contracts. */
const OF_CLIENT = ["test", "lint", "types", "client-types", "web-types", "bench"];
/** Commands that run the product alone: they do without the packages of tests, checks and benches. */
const OF_PRODUCT = ["start", "repl", "backup", "restore", "embeddings", "mcp", "sandbox", "setup"];

const [command, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, command ?? "")) fail(`Usage: partline ${Object.keys(COMMANDS).join(" | ")}`);
const locked = packagesOf("package-lock.json") ?? fail("package-lock.json is not there, or is no lock file of npm's.");
const node = lockedNode();
if (!isInstalled()) {
  const endTurn = takeTurn();
  if (!isInstalled()) install();
  endTurn();
}
// Without it, stripping types and compiling are a third of a start's work, and hold 30 MB.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled");
await run();

/** A lock file's entries by package folder; undefined if it cannot be read. */
function packagesOf(lockFile) {
  try {
    const { packages } = JSON.parse(readFileSync(join(root, lockFile), "utf8"));
    return Object.fromEntries(Object.entries(packages).filter(([, entry]) => entry));
  } catch {
    return undefined;
  }
}

/** The lock file's Node for this platform, with its package's folder; without one, the Node that runs this. */
function lockedNode() {
  const { platform, arch, versions, execPath } = process;
  const isForHere = ({ bin, os, cpu }) => bin?.node && [os].flat().includes(platform) && [cpu].flat().includes(arch);
  const [folder, entry] = Object.entries(locked).find(([, entry]) => isForHere(entry)) ?? [];
  if (entry && !String(entry.integrity).startsWith("sha512-"))
    fail(`package-lock.json has no hash (sha512) of ${folder}, the Node that runs Partline.`);
  if (entry) return { folder, binary: join(root, folder, entry.bin.node) };
  if (Number(versions.node.split(".")[0]) >= 24) return { binary: execPath };
  return fail(`package-lock.json has no Node for ${platform} ${arch}: use Node 24 or later, not ${versions.node}.`);
}

/**
 * Whether node_modules has what the command needs, with the hashes of package-lock.json. Optional packages may be for
 * another platform.
 */
function isInstalled() {
  const isLeftOut = ({ dev, devOptional }) => OF_PRODUCT.includes(command) && (dev || devOptional);
  const isNeeded = ([folder, entry]) =>
    folder === node.folder || (folder.includes("node_modules/") && !entry.optional && !isLeftOut(entry));
  return existsSync(node.binary) && isThere(Object.entries(locked).filter(isNeeded));
}

/** Whether npm unpacked these, and linked the workspaces; it compared their hashes before. */
function isThere(packages) {
  const installed = packagesOf("node_modules/.package-lock.json");
  return packages.every(
    ([folder, { integrity, link }]) =>
      installed?.[folder]?.integrity === integrity && (!link || existsSync(join(root, folder))),
  );
}

function install() {
  process.stderr.write("Installing packages (once) ...\n");
  // A shop that runs here may load more of node_modules, which "ci" removes first.
  const hasProduct = existsSync(join(root, "node_modules/.package-lock.json"));
  const how = OF_PRODUCT.includes(command) ? ["ci", "--omit=dev"] : hasProduct ? ["install", "--no-save"] : ["ci"];
  const { status, error } = spawnSync("npm", [...how, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (error) fail(`npm cannot be run: ${error.message}`);
  if (status !== 0) fail("npm ci did not succeed; its output above says why.");
  if (OF_PRODUCT.includes(command)) trim();
  // npm silently leaves out an optional package that it cannot fetch or whose hash is wrong.
  if (!node.folder || (existsSync(node.binary) && isThere([[node.folder, locked[node.folder]]]))) return;
  fail(`npm did not install ${node.folder}: it cannot be fetched, or its hash is not the one in package-lock.json.`);
}

/**
 * Removes a quarter of what npm unpacked, which nothing reads: Node's headers, the maps of compiled sources, and the
 * large models of OCR.
 */
function trim() {
  if (node.folder) rmSync(join(root, node.folder, "include"), { recursive: true, force: true });
  const models = join(root, "node_modules/@tesseract.js-data");
  for (const language of readdirSync(models)) rmSync(join(models, language, "4.0.0"), { recursive: true, force: true });
  for (const path of readdirSync(join(root, "node_modules"), { recursive: true }))
    if (path.endsWith(".map")) rmSync(join(root, "node_modules", path));
}

/**
 * Waits while other starts install: npm removes what another npm is unpacking. The oldest ticket (a file named by
 * process id) of a running process has its turn.
 */
function takeTurn() {
  const folder = join(root, ".installing");
  const ticket = join(folder, String(process.pid));
  takeTicket(folder, ticket);
  const endTurn = () => {
    process.off("exit", endTurn);
    rmSync(ticket, { force: true });
    try {
      rmdirSync(folder);
    } catch {
      // Others wait.
    }
  };
  process.on("exit", endTurn);
  // Longer than a tick of a file system's clock: starts of one tick see each other's tickets.
  pause(50);
  for (let isTold = false; firstIn(folder) !== process.pid; pause(200)) {
    if (!isTold) process.stderr.write(`Another start installs packages (${folder}): waiting for it ...\n`);
    isTold = true;
  }
  return endTurn;
}

function takeTicket(folder, ticket) {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(ticket, "");
  } catch (error) {
    // The start before has removed the folder meanwhile.
    if (error.code === "ENOENT") takeTicket(folder, ticket);
    else fail(`${folder} cannot be written: ${error.message}`);
  }
}

/** Removes tickets of dead processes; returns the process with the oldest of the others. */
function firstIn(folder) {
  const tickets = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (!isRunning(Number(name))) rmSync(path, { force: true });
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return mtimeMs === undefined ? [] : [{ pid: Number(name), mtimeMs }];
  });
  return tickets.sort((one, other) => one.mtimeMs - other.mtimeMs || one.pid - other.pid)[0]?.pid;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** The settings file that the command reads, which `npm run setup` writes; undefined without one. */
function findSettingsFile() {
  if (!OF_PRODUCT.includes(command) || command === "setup") return undefined;
  const file = resolve(root, process.env.SETTINGS_FILE || "partline.env");
  if (existsSync(file)) return file;
  return process.env.SETTINGS_FILE ? fail(`SETTINGS_FILE ${file} does not exist: npm run setup writes it.`) : undefined;
}

async function run() {
  // What the environment sets takes precedence over the file.
  const settings = findSettingsFile();
  if ((command === "start" || command === "repl") && process.execPath === realpathSync(node.binary)) {
    // node:sqlite still warns that it may change; other warnings are shown.
    process.removeAllListeners("warning");
    process.on(
      "warning",
      (warning) => warning.name !== "ExperimentalWarning" && process.stderr.write(`${warning.stack}\n`),
    );
    if (settings) process.loadEnvFile(settings);
    nodeModule.enableCompileCache();
    await import(join(root, COMMANDS[command][0]));
    return;
  }
  if (OF_CLIENT.includes(command)) generateClient();
  const script = command === "bench" ? [benchmark(rest.shift())] : COMMANDS[command];
  const flags = [...(command === "start" ? NODE_FLAGS : QUIETLY), ...(settings ? [`--env-file=${settings}`] : [])];
  const env = command === "start" ? { ...NODE_ENVIRONMENT, ...process.env } : process.env;
  const child = spawn(node.binary, [...flags, ...script, ...rest], { cwd: root, env, stdio: "inherit" });
  // A terminal signals the whole group; a supervisor signals this process alone.
  const pass = (signal) => {
    unwatch();
    child.kill(signal);
  };
  const unwatch = whenNpmEnds(() => pass("SIGTERM"));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass);
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function generateClient() {
  const generate = [...QUIETLY, "packages/client/generate.ts"];
  const { status, error } = spawnSync(node.binary, generate, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) fail(`packages/client/src/contract.ts cannot be made: ${error?.message ?? "see above"}`);
}

function benchmark(name) {
  const names = readdirSync(join(root, "packages/bench/src"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length));
  return names.includes(name) ? `packages/bench/src/${name}.ts` : fail(`Usage: npm run bench -- ${names.join(" | ")}`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
