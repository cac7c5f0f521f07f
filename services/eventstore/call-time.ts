import type { Context } from "moleculer";
import { PartlineError } from "../../mixins/errors.ts";

/** Aborts, with a TIMEOUT as its reason, when the caller waits no longer; never if the call has no time limit. */
export function untilCallIsOver({
  options: { timeout },
  startHrTime,
}: Pick<Context, "options" | "startHrTime">): AbortSignal {
  const over = new AbortController();
  if (timeout && startHrTime) {
    const [seconds, nanoseconds] = process.hrtime(startHrTime);
    setTimeout(
      () => over.abort(new PartlineError("TIMEOUT", "The state could not be folded in time")),
      timeout - seconds * 1_000 - nanoseconds / 1_000_000,
    ).unref();
  }
  return over.signal;
}
