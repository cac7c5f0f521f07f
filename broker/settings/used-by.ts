import type { Settings } from "../settings.ts";
import { SERVICE_NAMES, type ServiceName } from "./run.ts";

const USED_BY = {
  MONGO_URL: SERVICE_NAMES,
  ELASTICSEARCH_URL: ["search", "ai"],
  S3_ENDPOINT: ["ai", "media", "pipeline"],
  EMBEDDINGS_MODEL: ["ai"],
  STRIPE_SECRET_KEY: ["payment", "customer", "order"],
} as const satisfies Record<string, readonly ServiceName[]>;

/** Its server, or its embedded replacement. */
export function isUsed(
  setting: keyof typeof USED_BY | "REDIS_URL",
  { run, rateLimit }: Pick<Settings, "run" | "rateLimit">,
): boolean {
  // For counters of RATE_LIMIT, and of guests' carts in bytes.
  if (setting === "REDIS_URL")
    return run.entryPoints.some((entry) => rateLimit !== undefined || entry === "cart" || entry === "shop");
  return USED_BY[setting].some((name) => run.services.includes(name));
}
