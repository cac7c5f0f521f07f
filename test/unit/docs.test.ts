import { describe, expect, test } from "@jest/globals";
import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const decisions = readdirSync(new URL("docs/decisions/", ROOT)).filter((file) => /^\d{4}-/.test(file));
const pages = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...globSync(["packages/*/README.md", "services/*/README.md"], { cwd: ROOT }),
  ...readdirSync(new URL("docs/", ROOT), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

/** Returns the anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

/** Returns the links of a page that lead nowhere. */
function deadLinks(page: string): string[] {
  const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target =
      path === "" ? page : fileURLToPath(new URL(path, new URL(page, ROOT))).slice(fileURLToPath(ROOT).length);
    if (!existsSync(new URL(target, ROOT))) return true;
    return anchor !== undefined && statSync(new URL(target, ROOT)).isFile() && !anchorsOf(target).includes(anchor);
  });
}

describe("the documentation", () => {
  test.each(pages)("%s links only to what exists", (page) => {
    expect(deadLinks(page)).toEqual([]);
  });

  test("README.md has at most 120 lines", () => {
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(120);
  });

  test.each(readdirSync(new URL("docs/recipes/", ROOT)))("docs/recipes/%s shows the code as it is", (recipe) => {
    const examples = [...read(`docs/recipes/${recipe}`).matchAll(/\n`([^`\n]+)`\n\n```diff\n([^]*?)```/g)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, path, diff] of examples) {
      const lines = new Set(read(path!).split("\n"));
      const added = diff!
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(1));
      expect([path, added.filter((line) => !lines.has(line))]).toEqual([path, []]);
    }
  });

  const ROOMS = /`((?:bin|broker|docs|gateway|mixins|packages|services|test)\/[\w./-]+)`/g;
  test.each(
    pages.filter((page) => /^(?:README|CONTRIBUTING|docs\/(?:recipes|read-the-code|architecture)|services)/.test(page)),
  )("the paths that %s names exist", (page) => {
    const paths = [...read(page).matchAll(ROOMS)].map(([, path]) => path!);
    expect(paths.filter((path) => !/\bNAME\b/.test(path) && !existsSync(new URL(path, ROOT)))).toEqual([]);
  });

  const SERVICES = readdirSync(new URL("services/", ROOT), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  test.each(SERVICES.map(({ name }) => name))("the README of services/%s names each file or its folder", (service) => {
    const folder = `services/${service}/`;
    const readme = read(`${folder}README.md`);
    const files = globSync("**/*.ts", { cwd: new URL(folder, ROOT) });
    const isNamed = (path: string): boolean => {
      const folders = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
      return [path, ...folders].some((name) => readme.includes(`\`${name}\``));
    };
    const isWiring = (path: string): boolean =>
      /(?:^|\/)(?:contract|collections|resources|[\w-]+\.service)\.ts$/.test(path);
    expect(files.filter((path) => !isWiring(path) && !isNamed(path))).toEqual([]);
  });

  // The benches' page names files by their last part.
  const READMES = /^((?:packages\/(?!bench)|services\/)[\w-]+\/)README\.md$/;
  test.each(pages.filter((page) => READMES.test(page)))("the files that %s names are there", (page) => {
    const folder = READMES.exec(page)![1]!;
    const files = [...read(page).matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:ts|txt|cjs)|src\/[\w/-]+)`/g)].map(
      ([, path]) => path!,
    );
    expect(files.filter((file) => ![folder, ""].some((base) => existsSync(new URL(base + file, ROOT))))).toEqual([]);
  });

  test.each(decisions)("decision %s has its three parts in at most 60 lines", (file) => {
    const page = read(`docs/decisions/${file}`);
    expect(["Context", "Decision", "Consequences"].filter((part) => !page.includes(`**${part}.**`))).toEqual([]);
    expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  });

  test("the index of decisions has each of them", () => {
    const index = read("docs/decisions/README.md");
    expect(decisions.filter((file) => !index.includes(`](${file})`))).toEqual([]);
  });
});
