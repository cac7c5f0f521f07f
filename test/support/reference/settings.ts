import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { loadSettings, type Settings } from "../../../broker/settings.ts";
import { readShopSettings } from "../../../services/shared/settings.ts";
import { SUPPLIERS } from "../../../services/catalog/suppliers/list.ts";
import { pageOf, table } from "./page.ts";

/** See the head of settings.yaml. */
interface Setting {
  names: string;
  defaults?: string;
  without?: string;
  meaning: string;
}

/** Read by OpenTelemetry's SDK itself. */
const OF_THE_SDK = ["OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"];

function listSupplierSettings({ id, name, code, settings }: (typeof SUPPLIERS)[number]): Setting[] {
  const { unset, aliases, sandbox } = settings;
  const prefix = id.toUpperCase();
  const without =
    unset === "sandbox"
      ? "The sandbox runs if no address is set; `off` runs neither"
      : `Without an address it is not synced; \`sandbox\` as the address runs its sandbox, at SANDBOX_PORT + ${sandbox.offset}`;
  return [
    { names: `${prefix}_URL ${prefix}_API_KEY`, without: unset, meaning: `Supplier ${name}. ${without}` },
    {
      names: `${prefix}_SLUG`,
      defaults: code.toLowerCase(),
      meaning: `Segment of ${name} in \`/catalog/{supplier}/sync\` and \`/batch-sync\``,
    },
    {
      names: `${prefix}_ALIASES`,
      ...(aliases.length > 0 ? { defaults: aliases.join(",").replaceAll(" ", "\u00a0") } : { without: "none" }),
      meaning: `Other spellings of its code ${code} in the manufacturer filter of a search`,
    },
  ];
}

const topics = Object.entries(
  parse(readFileSync(new URL("settings.yaml", import.meta.url), "utf8")) as Record<string, (Setting | "suppliers")[]>,
).map(([topic, rows]) => ({
  topic,
  settings: rows.flatMap((row) => (row === "suppliers" ? SUPPLIERS.flatMap(listSupplierSettings) : row)),
}));

const settingList = topics.flatMap(({ settings }) => settings);

/** Returns the names that the page has and, of them, those that come from a file too, as the code reads them. */
export function namesRead(): { names: Set<string>; fromFile: Set<string> } {
  const asked = new Set<string>();
  // Some settings are asked for only beside another.
  const given: NodeJS.ProcessEnv = { DATA_DIR: newFolder(), S3_ENDPOINT: "http://127.0.0.1:1", S3_BUCKET: "bucket" };
  const env = new Proxy(given, {
    get: (target, name: string) => {
      asked.add(name);
      return target[name];
    },
  });
  try {
    loadSettings(env, "1.0.0", readShopSettings(SUPPLIERS));
  } catch {
    // What is missing beside an S3 does not matter here.
  }
  const fromFile = new Set([...asked].flatMap((name) => (name.endsWith("_FILE") ? [name.slice(0, -5)] : [])));
  return { names: new Set([...asked].filter((name) => !name.endsWith("_FILE"))), fromFile };
}

/** The names that the page has and the code reads. */
export const namesDescribed = (): string[] =>
  settingList.flatMap(({ names }) => names.split(" ")).filter((name) => !OF_THE_SDK.includes(name));

/** Returns the settings of an empty environment, and those of one that has the defaults that the page names. */
export function withDefaults(): { unset: Settings; set: Settings } {
  const DATA_DIR = newFolder();
  const named = settingList.flatMap(({ names, defaults }) => {
    const settingNames = names.split(" ");
    return defaults?.split(" ").map((value, index) => [settingNames[index]!, value] as const) ?? [];
  });
  const given = Object.fromEntries(named.map(([name, value]) => [name, value.replaceAll("\u00a0", " ")]));
  return {
    unset: loadSettings({ DATA_DIR }, "1.0.0", readShopSettings(SUPPLIERS)),
    set: loadSettings({ ...given, DATA_DIR }, "1.0.0", readShopSettings(SUPPLIERS)),
  };
}

export function settingsPage(): string {
  const { fromFile } = namesRead();
  const code = (text: string): string => `\`${text.replaceAll("\u00a0", " ")}\``;
  const rowOf = ({ names, defaults, without, meaning }: Setting): string[] => [
    names
      .split(" ")
      .map((name) => code(name) + (fromFile.has(name) ? " †" : ""))
      .join(", "),
    defaults === undefined ? `(${without!})` : defaults.split(" ").map(code).join(", "),
    meaning,
  ];
  return pageOf(
    "Settings",
    "broker/settings.ts and test/support/reference/settings.yaml",
    "All settings come from the environment, or from the file `partline.env` that [`npm run setup`](../guides/one-server.md) writes; SETTINGS_FILE names another file. What the environment sets takes precedence over the file. A setting with † can come from a file instead: `NAME_FILE=/run/secrets/name`. If both are set, the file takes precedence. An unusable value (a port in use, a URL that does not parse, a store that does not answer or refuses the password) stops the start with a line that names the setting; a mail server that does is logged, as mails wait for it.",
    ...topics.flatMap(({ topic, settings }) => [
      `## ${topic}`,
      table(["setting", "default", "meaning"], settings.map(rowOf)),
    ]),
  );
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), "partline-reference-"));
