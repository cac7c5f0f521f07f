import type { EventstoreTailParams, StoredEvent } from "@partline/client";
import { useEffect, useRef, useState } from "react";
import { useAuthProvider } from "react-admin";
import { partline } from "../partline.ts";
import { describeProblem } from "../shared/words-of.ts";

export type EventFilter = Pick<EventstoreTailParams, "aggregate_type" | "aggregate_id" | "event_type">;

const HOUR_MS = 3_600_000;
const MOST_SHOWN = 200;

/** The events of the last hour and those that come, the newest first. What was paused goes on where it was. */
export function useTail(
  filter: EventFilter,
  isPaused: boolean,
): { events: StoredEvent[]; refusal: string | undefined } {
  const authProvider = useAuthProvider();
  const [events, setEvents] = useState<StoredEvent[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const last = useRef({ key: "", position: 0 });
  const key = JSON.stringify(filter);
  useEffect(() => {
    if (last.current.key !== key) {
      last.current = { key, position: 0 };
      setEvents([]);
    }
    setRefusal(undefined);
    if (isPaused) return;
    const left = new AbortController();
    const { signal } = left;
    const follow = async (): Promise<void> => {
      try {
        const filter = { ...(JSON.parse(key) as EventFilter), after: last.current.position };
        const since = new Date(Date.now() - HOUR_MS).toISOString();
        for await (const event of partline.eventstore.tail({ ...filter, since }, { signal })) {
          if (signal.aborted) return;
          last.current.position = event.position;
          setEvents((previous) => [event, ...previous].slice(0, MOST_SHOWN));
        }
      } catch (error) {
        if (signal.aborted) return;
        await authProvider?.checkError(error);
        setRefusal(describeProblem(error));
      }
    };
    void follow();
    return () => left.abort();
  }, [key, isPaused, authProvider]);
  return { events, refusal };
}
