import type { Settings } from "../settings.ts";
import { SERVICE_NAMES, type ServiceName } from "./run.ts";

/** The services that use what a setting names. */
const USED_BY = {
  MONGO_URL: SERVICE_NAMES,
  ELASTICSEARCH_URL: ["search", "ai"],
  REDIS_URL: ["search"],
  S3_ENDPOINT: ["media", "pipeline"],
  EMBEDDINGS_MODEL: ["ai"],
  STRIPE_SECRET_KEY: ["payment", "customer"],
  TIRE_SUPPLIER_URL: ["catalog"],
} as const satisfies Record<string, readonly ServiceName[]>;

/** Whether a process uses what the setting names, or what stands in for it. */
export function isUsed(
  setting: keyof typeof USED_BY,
  { run, rateLimit }: Pick<Settings, "run" | "rateLimit">,
): boolean {
  const countsRequests = setting === "REDIS_URL" && rateLimit !== undefined && run.entryPoints.length > 0;
  return countsRequests || USED_BY[setting].some((name) => run.services.includes(name));
}
