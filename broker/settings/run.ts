import { ENTRY_POINTS, type EntryPoint } from "../contract/define.ts";
import type { SettingsReader } from "./reader.ts";

/** The folders of `services/`. */
export const SERVICE_NAMES = [
  "cart",
  "payment",
  "order",
  "customer",
  "mail",
  "webhook",
  "user",
  "access",
  "settings",
  "catalog",
  "dis-router",
  "search",
  "ai",
  "eventstore",
  "media",
  "pipeline",
  "analytics",
  "health-analytics",
] as const;
type ServiceName = (typeof SERVICE_NAMES)[number];

interface Run {
  services: readonly ServiceName[];
  entryPoints: readonly EntryPoint[];
  sandbox: boolean;
}

/** Reads SERVICES; the sandbox can be among them outside production. */
export function readRun(reader: SettingsReader, production: boolean): Run {
  const names = reader.getList("SERVICES") ?? ["all"];
  if (names.includes("all")) return { services: SERVICE_NAMES, entryPoints: ENTRY_POINTS, sandbox: !production };
  const services: ServiceName[] = [];
  const entryPoints: EntryPoint[] = [];
  let sandbox = false;
  for (const name of names) {
    const entry = name.startsWith("http:") ? name.slice("http:".length) : undefined;
    if (name === "http") entryPoints.push(...ENTRY_POINTS);
    else if (entry !== undefined && isOneOf(ENTRY_POINTS, entry)) entryPoints.push(entry);
    else if (isOneOf(SERVICE_NAMES, name)) services.push(name);
    else if (name === "sandbox" && !production) sandbox = true;
    else if (name === "sandbox") reader.noteUnusable("SERVICES", '"sandbox" does not run in production');
    else if (entry !== undefined)
      reader.noteUnusable("SERVICES", `"${name}" names no entry point: they are ${ENTRY_POINTS.join(", ")}`);
    else
      reader.noteUnusable(
        "SERVICES",
        `"${name}" is not a service; there are ${[...SERVICE_NAMES, "http", "http:<entry point>", ...(production ? [] : ["sandbox"])].join(", ")} and all`,
      );
  }
  return { services: [...new Set(services)], entryPoints: [...new Set(entryPoints)], sandbox };
}

function isOneOf<const T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}

const USED_BY = {
  MONGO_URL: SERVICE_NAMES,
  ELASTICSEARCH_URL: ["search", "ai"],
  S3_ENDPOINT: ["ai", "media", "pipeline"],
  EMBEDDINGS_MODEL: ["ai"],
  STRIPE_SECRET_KEY: ["payment", "customer", "order"],
} as const satisfies Record<string, readonly ServiceName[]>;

/** Returns whether a process uses the setting's server or its embedded replacement. */
export function isUsed(
  setting: keyof typeof USED_BY | "REDIS_URL",
  {
    run,
    rateLimit,
  }: { run: Pick<Run, "services" | "entryPoints">; rateLimit: ReturnType<SettingsReader["rateLimit"]> },
): boolean {
  // For entry points' counters; those that store guests' carts count their bytes regardless of RATE_LIMIT.
  if (setting === "REDIS_URL")
    return run.entryPoints.some((entry) => rateLimit !== undefined || entry === "cart" || entry === "shop");
  return USED_BY[setting].some((name) => run.services.includes(name));
}
