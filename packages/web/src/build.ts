import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import { generateContract } from "../../client/generate.ts";
import type { App } from "../../../broker/contract/define.ts";
import type { Assets } from "./shared/app.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Where builds are kept, each by the hash of its sources. */
const BUILT = join(ROOT, "packages/web/.built");
const PAGES = "packages/web/src";
/** What the pages import beside the folders of `sources`. */
const PRODUCT = [
  "packages/parts-language/index.ts",
  "packages/toolkit/pure.ts",
  "packages/toolkit/src/csv.ts",
  "packages/toolkit/src/zone-days.ts",
  "broker/contract/scopes.ts",
  "services/shared/dis-errors.ts",
];

export const ASSETS_PATH = "/assets/";
const MANIFEST = "manifest.json";

export interface BuiltApp {
  /** A CommonJS module: a `WebApp`. */
  server: string;
  /** The browser's files; beside each the same with `.br` and `.gz`. */
  folder: string;
  files: readonly string[];
  assets: Assets;
}

const builds = new Map<App, Promise<BuiltApp>>();
let contentHash: Promise<string> | undefined;
let lastBuild: Promise<unknown> = Promise.resolve();

/** Builds an app unless the same content was built before. */
export function builtApp(app: App): Promise<BuiltApp> {
  let build = builds.get(app);
  if (!build) builds.set(app, (build = findOrBuild(app)));
  return build;
}

async function findOrBuild(app: App): Promise<BuiltApp> {
  const folder = join(BUILT, await (contentHash ??= hashContent()), app);
  if (!existsSync(folder)) {
    // The end of a build ends the builder for all.
    const build = lastBuild.then(() => buildInto(folder, app));
    lastBuild = build.catch(() => undefined);
    await build;
  }
  const { files, assets } = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Omit<BuiltApp, "server">;
  return { server: join(folder, "server.cjs"), folder: join(folder, "browser"), files, assets };
}

/** Builds beside the place and moves it there: two builders both find the whole. */
async function buildInto(folder: string, app: App): Promise<void> {
  const { build, stop } = await import("esbuild");
  const temporaryFolder = `${folder}-${randomUUID()}`;
  await mkdir(temporaryFolder, { recursive: true });
  try {
    const [{ metafile }] = await Promise.all([
      build({
        ...SHARED,
        entryPoints: { [app]: join(PAGES, app, "client.tsx") },
        outdir: join(temporaryFolder, "browser"),
        format: "esm",
        splitting: true,
        target: "es2022",
        entryNames: "[name]-[hash]",
        chunkNames: "[name]-[hash]",
        metafile: true,
      }),
      build({
        ...SHARED,
        entryPoints: [join(PAGES, app, "server.tsx")],
        outfile: join(temporaryFolder, "server.cjs"),
        platform: "node",
        format: "cjs",
        target: "node24",
        loader: { ...SHARED.loader, ".css": "empty" },
      }),
    ]);
    const browser = relative(ROOT, join(temporaryFolder, "browser"));
    const files = Object.keys(metafile.outputs).map((path) => relative(browser, path));
    await Promise.all(files.map((name) => compress(join(temporaryFolder, "browser", name))));
    await writeFile(
      join(temporaryFolder, MANIFEST),
      JSON.stringify({ files, assets: listAssets(metafile, browser, app) }),
    );
    await rename(temporaryFolder, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
    await stop();
  }
}

/** Makes tables of parts-language modules (`words.d.ts`): a page loads those that it uses. */
const WORDS: Plugin = {
  name: "words",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^words:/ }, ({ path }) => ({ path, namespace: "words" }));
    onLoad({ filter: /./, namespace: "words" }, async ({ path }) => {
      const { groupKindWords, listPartNouns } = await import("@partline/parts-language/words");
      const table = path === "words:part-nouns" ? listPartNouns() : groupKindWords();
      return { contents: JSON.stringify(table), loader: "json" };
    });
  },
};

const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  jsx: "automatic",
  tsconfig: join(ROOT, "packages/web/tsconfig.json"),
  loader: { ".svg": "file", ".woff2": "file" },
  assetNames: "[name]-[hash]",
  publicPath: ASSETS_PATH,
  define: { "process.env.NODE_ENV": '"production"' },
  plugins: [WORDS],
  legalComments: "none",
  logLevel: "silent",
} satisfies BuildOptions;

function listAssets({ outputs }: Metafile, browser: string, app: App): Assets {
  const address = (path: string): string => ASSETS_PATH + relative(browser, path);
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const [script, { cssBundle }] = entries.find(([, { entryPoint }]) => entryPoint === `${PAGES}/${app}/client.tsx`)!;
  return {
    script: address(script),
    style: address(cssBundle!),
    fonts: Object.keys(outputs)
      .filter((path) => path.endsWith(".woff2"))
      .map(address),
    chunks: Object.fromEntries(
      entries.map(([path, { entryPoint }]) => [entryPoint!, listImports(outputs, path).map(address)]),
    ),
  };
}

/** Lists a module and what it needs before it runs. */
function listImports(outputs: Metafile["outputs"], first: string): string[] {
  const paths = new Set([first]);
  for (const path of paths)
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") paths.add(next);
  return [...paths];
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

async function hashContent(): Promise<string> {
  await generateContract();
  const hash = createHash("sha256");
  for (const path of sources())
    hash.update(path.slice(ROOT.length)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex").slice(0, 24);
}

/** What a build depends on: the pages, the client, the versions of the packages, and how they are built. */
export function sources(): string[] {
  const files = [
    PAGES,
    "packages/client/src",
    "packages/parts-language/src",
    "packages/toolkit/src",
    "mixins/shop",
  ].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );
  return [...files, ...[...PRODUCT, "package-lock.json"].map((path) => join(ROOT, path))];
}
