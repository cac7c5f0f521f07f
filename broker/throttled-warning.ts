import type { Logger } from "moleculer";
import { reasonOf } from "./channels/redelivery.ts";

const LOGGED_EVERY_MS = 10_000;

/** Once in ten seconds for the same reason. */
export function throttledWarning(logger: Logger, message: string): (error: unknown) => void {
  const logged = { reason: "", at: -Infinity };
  return (error) => {
    const reason = reasonOf(error);
    if (reason === logged.reason && performance.now() - logged.at < LOGGED_EVERY_MS) return;
    Object.assign(logged, { reason, at: performance.now() });
    logger.warn(message, error);
  };
}
