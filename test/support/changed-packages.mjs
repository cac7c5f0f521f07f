import { execFileSync } from "node:child_process";
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
  const { dependencies = {} } = JSON.parse(readFileSync(new URL(`${name}/package.json`, PACKAGES), "utf8"));
  return Object.keys(dependencies).flatMap((used) => (used.startsWith("@partline/") ? [used.slice(10)] : []));
}

/** Returns undefined where git cannot say. */
function listChangedFiles() {
  const git = (...args) =>
    execFileSync("git", args, { cwd: PACKAGES, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const untracked = git("ls-files", "--others", "--exclude-standard", "--full-name", ":/");
    let since = "HEAD";
    try {
      since = git("merge-base", "HEAD", "@{upstream}").trim();
    } catch {
      // No upstream.
    }
    return `${git("diff", "--name-only", since)}${untracked}`.split("\n").filter(Boolean);
  } catch {
    return undefined;
  }
}
