import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../bin/node-options.mjs";
import { ENTRY_PORTS } from "../../broker/contract/define.ts";
import { DOCKER_DIR } from "../support/compose.ts";

const ROOT = join(DOCKER_DIR, "..");
const pathOf = (name: string): string => join(DOCKER_DIR, "one-server", name);
const read = (name: string): string => readFileSync(pathOf(name), "utf8");
const hasTool = (name: string, option: string): boolean => spawnSync(name, [option]).status === 0;

/** Values of a unit's keys; a key may be there several times. */
function readUnit(name: string): Record<string, string[]> {
  const lines = read(name)
    .split("\n")
    .flatMap((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []);
  const unit: Record<string, string[]> = {};
  for (let index = 0; index < lines.length; index += 2) (unit[lines[index]!] ??= []).push(lines[index + 1]!);
  return unit;
}

test("the unit starts what npm start starts, with Node's options, and may write what it writes", () => {
  const unit = readUnit("partline.service");
  const folder = unit.WorkingDirectory![0]!;
  expect(unit.ExecStart).toEqual([
    [`${folder}/node_modules/.bin/node`, ...NODE_FLAGS, "bin/partline.mjs", "start"].join(" "),
  ]);
  expect(existsSync(join(ROOT, "bin/partline.mjs"))).toBe(true);
  const environment = Object.entries(NODE_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
  expect(unit.Environment?.join(" ").split(" ")).toEqual(expect.arrayContaining(environment));
  expect(folder.startsWith(unit.ReadWritePaths![0]!)).toBe(true);
});

test("the backup has the settings and the user of the shop, and only its timer starts it", () => {
  const [shop, backup] = [readUnit("partline.service"), readUnit("partline-backup.service")];
  for (const key of ["User", "WorkingDirectory", "UMask"]) expect(backup[key]).toEqual(shop[key]);
  expect(shop.Environment).toEqual(expect.arrayContaining(backup.Environment!));
  expect(readUnit("partline-backup.timer")).toMatchObject({ OnCalendar: [expect.any(String)], Persistent: ["true"] });
  expect(backup).not.toHaveProperty("WantedBy");
});

test("the proxy asks the entry points at their ports, and keeps health and metrics inside", () => {
  const ports = [...read("Caddyfile").matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
  const { shop, console, payment, gateway } = ENTRY_PORTS;
  expect(ports).toEqual([shop, console, payment, gateway]);
  expect(read("Caddyfile")).toContain("@internal path /metrics /health*");
});

test("the guide uses the files that there are", () => {
  const guide = readFileSync(join(ROOT, "docs/guides/one-server.md"), "utf8");
  const { WorkingDirectory } = readUnit("partline.service");
  expect(guide).toContain(`clone REPOSITORY ${WorkingDirectory![0]}`);
  // A restore renames a folder in its parent, which must be the unit's user's too.
  expect(guide).toContain(`\`/var/lib/${readUnit("partline.service").StateDirectory![0]}/data\` as the folder`);
  for (const path of ["docker/one-server/Caddyfile", "partline-backup.timer", "/etc/partline/partline.env"])
    expect(guide).toContain(path);
});

(hasTool("systemd-analyze", "--version") ? test : test.skip)("systemd accepts the units", () => {
  const units = ["partline.service", "partline-backup.service", "partline-backup.timer"].map(pathOf);
  const { stderr } = spawnSync("systemd-analyze", ["verify", ...units], { encoding: "utf8" });
  const flaws = stderr.split("\n").filter((line) => line !== "" && !/is not executable|User partline/.test(line));
  expect(flaws).toEqual([]);
});

(hasTool("caddy", "version") ? test : test.skip)("Caddy accepts its file", () => {
  const { status } = spawnSync("caddy", ["validate", "--config", pathOf("Caddyfile"), "--adapter", "caddyfile"]);
  expect(status).toBe(0);
});
