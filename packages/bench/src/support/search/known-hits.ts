import { setTimeout as pause } from "node:timers/promises";
import { clientOver, send } from "./http.ts";
import type { Timed } from "./latencies.ts";

/** A part that is named by its number: it is the first hit, and costs what the last import said. */
export interface KnownPart {
  q: string;
  id: string;
  /** Cents. What a search that begins now must show; while an import runs, what it may show as well. */
  price: number;
  nextPrice?: number;
}

export interface WatchedSearches {
  /** Milliseconds, by what was going on (`kind`) when the search began. */
  timed: Timed[];
  failures: string[];
  wrong: string[];
  stop(): Promise<void>;
}

interface Page {
  parts: { id: string; price: number | null }[];
}

/**
 * Asks for the parts in turn, so many times a second in all, and looks at each first hit. An answer is wrong when it is
 * another part, or a price that is neither the one of when it was asked nor of when it was answered.
 */
export function watchSearches(
  base: string,
  knownParts: readonly KnownPart[],
  options: { connections: number; perSecond: number; phase(): string },
): WatchedSearches {
  const agent = clientOver(options.connections);
  const every = (1_000 * options.connections) / options.perSecond;
  const timed: Timed[] = [];
  const failures: string[] = [];
  const wrong: string[] = [];
  let requestCount = 0;
  let isStopped = false;

  const ask = async (): Promise<void> => {
    const part = knownParts[requestCount++ % knownParts.length]!;
    const kind = options.phase();
    const allowed = [part.price, part.nextPrice];
    const startedAt = performance.now();
    try {
      const { status, text } = await send(agent, {
        method: "GET",
        url: `${base}/api/search?limit=20&q=${encodeURIComponent(part.q)}`,
      });
      timed.push({ kind, milliseconds: performance.now() - startedAt });
      if (status !== 200) return void failures.push(`${kind}: ${part.q} is answered ${status}`);
      const [first] = (JSON.parse(text) as Page).parts;
      const cents = Math.round((first?.price ?? 0) * 100);
      if (first?.id !== part.id) wrong.push(`${kind}: ${part.q} finds ${first?.id ?? "nothing"}`);
      else if (![...allowed, part.price, part.nextPrice].includes(cents))
        wrong.push(`${kind}: ${part.q} costs ${cents}, not ${part.price}`);
    } catch (error) {
      failures.push(`${kind}: ${part.q}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const searchOne = async (): Promise<void> => {
    for (let dueAt = performance.now(); !isStopped; dueAt = Math.max(dueAt + every, performance.now() - 1_000)) {
      await pause(Math.max(0, dueAt - performance.now()));
      await ask();
    }
  };
  const running = Promise.all(Array.from({ length: options.connections }, searchOne));
  return {
    timed,
    failures,
    wrong,
    stop: async () => {
      isStopped = true;
      await running;
      await agent.destroy();
    },
  };
}
