import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useAuthProvider } from "react-admin";
import { describeProblem } from "./words-of.ts";

const WHILE_RUNNING_MS = 1_000;
const OTHERWISE_MS = 30_000;

interface Reading<T> {
  /** Read again and again, not while the window is hidden. */
  everyMs?: number;
  /** Whether it has work that goes on at the server, also of others: then it is read more often. */
  isRunning?: (data: T) => boolean;
  /** Called when what ran has ended. */
  onEnded?: () => void;
}

/** What a page reads that is no list or form of react-admin. Every action reads it again. */
export function useReading<T>(
  key: readonly unknown[],
  load: (signal: AbortSignal) => Promise<T>,
  { isRunning, onEnded, everyMs = isRunning && OTHERWISE_MS }: Reading<T> = {},
): { data: T | undefined; refusal: string | undefined; isRunning: boolean } {
  const authProvider = useAuthProvider();
  const { data, error } = useQuery<T>({
    queryKey: key,
    queryFn: async ({ signal }) => {
      try {
        return await load(signal);
      } catch (failure) {
        if (!signal.aborted) await authProvider?.checkError(failure);
        throw failure;
      }
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && isRunning?.(state.data) ? WHILE_RUNNING_MS : (everyMs ?? false),
    placeholderData: keepPreviousData,
    // The client has repeated what may be repeated.
    retry: false,
  });
  const runs = data !== undefined && (isRunning?.(data) ?? false);
  const ran = useRef(false);
  useEffect(() => {
    if (ran.current && !runs) onEnded?.();
    ran.current = runs;
  }, [runs]);
  return { data, refusal: error ? describeProblem(error) : undefined, isRunning: runs };
}
