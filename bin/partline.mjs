#!/usr/bin/env node
// Runs on any Node from 20 on: installs what the lock file says if it is not there, then goes on with the project's own Node.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "./node-options.mjs";
import { whenNpmEnds } from "./parent.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const COMMANDS = {
  start: ["bin/start.ts"],
  repl: ["bin/repl.ts"],
  test: ["node_modules/jest/bin/jest.js"],
  lint: ["node_modules/eslint/bin/eslint.js", "."],
  types: ["node_modules/typescript/bin/tsc", "-p", "."],
  bench: [],
  backup: ["bin/backup.ts"],
  restore: ["bin/restore.ts"],
  soak: ["bench/soak.ts"],
};

const [command, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, command ?? "")) fail(`Usage: partline ${Object.keys(COMMANDS).join(" | ")}`);
if (!isInstalled()) install();
await run();

/** Whether node_modules holds exactly the versions that package-lock.json names. */
function isInstalled() {
  const hidden = join(root, "node_modules/.package-lock.json");
  if (!existsSync(hidden) || !existsSync(projectNode())) return false;
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(hidden, "utf8")).packages;
  return Object.entries(locked).every(
    ([path, { version, optional }]) => path === "" || optional || installed[path]?.version === version,
  );
}

function install() {
  process.stderr.write("Installing packages (once) ...\n");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0 || !existsSync(projectNode())) fail("npm ci did not succeed; its output above says why.");
}

function projectNode() {
  return join(root, "node_modules/node/bin/node");
}

async function run() {
  const inThisProcess =
    (command === "start" || command === "repl") && Number(process.versions.node.split(".")[0]) >= 24;
  if (inThisProcess) {
    // node:sqlite still warns that it may change; everything else is shown.
    process.removeAllListeners("warning");
    process.on(
      "warning",
      (warning) => warning.name !== "ExperimentalWarning" && process.stderr.write(`${warning.stack}\n`),
    );
    await import(join(root, COMMANDS[command][0]));
    return;
  }
  const script = command === "bench" ? [benchmark(rest.shift())] : COMMANDS[command];
  const flags =
    command === "test"
      ? ["--experimental-vm-modules", "--no-warnings"]
      : command === "start"
        ? NODE_FLAGS
        : ["--disable-warning=ExperimentalWarning"];
  const env = command === "start" ? { ...NODE_ENVIRONMENT, ...process.env } : process.env;
  const child = spawn(projectNode(), [...flags, ...script, ...rest], { cwd: root, env, stdio: "inherit" });
  // The terminal sends its signals to the whole group; a supervisor sends them to this process alone.
  const pass = (signal) => {
    unwatch();
    child.kill(signal);
  };
  const unwatch = whenNpmEnds(() => pass("SIGTERM"));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass);
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function benchmark(name) {
  const names = readdirSync(join(root, "bench"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length));
  return names.includes(name) ? `bench/${name}.ts` : fail(`Usage: npm run bench -- ${names.join(" | ")}`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
