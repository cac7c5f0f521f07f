import type { Context } from "moleculer";
import { PartlineError } from "../../mixins/errors.ts";

/** Aborts when whoever called waits no more; its reason is a TIMEOUT. Never where the call has no time. */
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
