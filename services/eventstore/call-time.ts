import type { Context } from "moleculer";
import { remainingMs } from "../../broker/calls/deadline.ts";
import { PartlineError } from "../../mixins/errors.ts";

/** Aborts, with a TIMEOUT as its reason, when the caller waits no longer; never if the call has no time limit. */
export function untilCallIsOver(ctx: Pick<Context, "options" | "startHrTime">): AbortSignal {
  const over = new AbortController();
  const left = remainingMs(ctx);
  const abort = (): void => over.abort(new PartlineError("TIMEOUT", "The state could not be folded in time"));
  if (left < Infinity) setTimeout(abort, left).unref();
  return over.signal;
}
