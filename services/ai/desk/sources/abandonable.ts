import { PartlineError } from "../../../../mixins/errors.ts";
import { untilAborted } from "../../../../mixins/until-aborted.ts";
import type { DeskSources } from "./sources.ts";

/**
 * The same sources as long as somebody waits for the answer: from then on whatever is asked of them, or was asked and
 * has not come, fails, so that nothing more is looked up.
 */
export function createAbandonableSources(sources: DeskSources, signal: AbortSignal): DeskSources {
  const whileWaited =
    (look: Look): Look =>
    (...args) =>
      signal.aborted ? Promise.reject(nobodyWaits()) : untilAborted(look(...args), signal, nobodyWaits);
  const looks = Object.entries(sources) as [keyof DeskSources, Look][];
  return Object.fromEntries(looks.map(([name, look]) => [name, whileWaited(look)])) as unknown as DeskSources;
}

type Look = (...args: unknown[]) => Promise<unknown>;

function nobodyWaits(): PartlineError {
  return new PartlineError("SERVICE_UNAVAILABLE", "Nobody waits for this answer any more");
}
