import type { ServiceBroker } from "moleculer";
import type { DisError } from "../shared/dis-errors.ts";
import type { Asked } from "./inquiries.ts";

interface SupplierHealth {
  asked: Asked;
  report(): { status: "ok" | "error" | "unknown"; error: DisError | null; askedAt: Date | null };
}

/** The supplier's last outcome. A change is logged once. */
export function createSupplierHealth(logger: Pick<ServiceBroker["logger"], "info" | "warn">): SupplierHealth {
  let last: { error: DisError | null; at: Date } | undefined;
  return {
    asked(error) {
      if (error !== null && !last?.error)
        logger.warn(
          `The dealer inventory system cannot be asked (${error}): the last known values are given until it can`,
        );
      if (error === null && last?.error) logger.info("The dealer inventory system answers again");
      last = { error, at: new Date() };
    },
    report: () => ({
      status: last === undefined ? "unknown" : last.error === null ? "ok" : "error",
      error: last?.error ?? null,
      askedAt: last?.at ?? null,
    }),
  };
}
