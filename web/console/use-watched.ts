import { useEffect, useRef } from "react";
import { useGetList, type RaRecord } from "react-admin";

const WHILE_RUNNING_MS = 1_000;
const OTHERWISE_MS = 30_000;

interface Watching<T> {
  isRunning(of: T): boolean;
  /** Called when what ran has ended. */
  onEnded?: () => void;
}

/** A list with work that goes on at the server, also of others: it is read again, and more often while something runs. */
export function useWatched<T extends RaRecord>(
  resource: string,
  { isRunning: runs, onEnded }: Watching<T>,
  params: Parameters<typeof useGetList<T>>[1] = {},
) {
  const { data, total, error } = useGetList<T>(resource, params, {
    refetchInterval: ({ state }) => (state.data?.data.some(runs) ? WHILE_RUNNING_MS : OTHERWISE_MS),
  });
  const isRunning = data?.some(runs) ?? false;
  const isKnown = data !== undefined;
  const ran = useRef(false);
  useEffect(() => {
    if (!isKnown) return;
    if (ran.current && !isRunning) onEnded?.();
    ran.current = isRunning;
  }, [isRunning, isKnown]);
  return { data, total, error, isRunning };
}
