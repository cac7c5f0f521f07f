import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const PACKAGES = new URL("../../packages/", import.meta.url);

/**
 * Returns the names of the packages whose files, or those of a package that they use, differ from the upstream branch:
 * committed or not. Without an upstream, from the last commit; without git, or with `all`, every package.
 * @param {{ all: boolean }} options
 */
export function findChangedPackages({ all }) {
  const names = readdirSync(PACKAGES);
  const files = all ? undefined : listChangedFiles();
  if (!files) return names;
  const isChanged = (name) =>
    files.some((file) => file.startsWith(`packages/${name}/`)) || listUsedPackages(name).some(isChanged);
  return names.filter(isChanged);
}

function listUsedPackages(name) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL(`${name}/package.json`, PACKAGES), "utf8"));
  return Object.keys({ ...dependencies, ...devDependencies }).flatMap((used) =>
    used.startsWith("@partline/") ? [used.slice(10)] : [],
  );
}

/** Returns undefined where git cannot say. */
function listChangedFiles() {
  const since = runGit("merge-base", "HEAD", "@{upstream}")?.trim() ?? "HEAD";
  const changed = runGit("diff", "--name-only", since);
  const untracked = runGit("ls-files", "--others", "--exclude-standard", "--full-name", ":/");
  return changed === undefined || untracked === undefined ? undefined : `${changed}${untracked}`.split("\n");
}

/** Returns undefined if git is not there or refuses. */
function runGit(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: PACKAGES, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}
