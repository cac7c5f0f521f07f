import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useAuthProvider } from "react-admin";

/** What a page reads, again and again if it is live: not while its window is hidden. */
export function useReading<T>(
  key: readonly unknown[],
  read: (signal: AbortSignal) => Promise<T>,
  everyMs: number | false = false,
): { data: T | undefined; refusal: string | undefined } {
  const authProvider = useAuthProvider();
  const { data, error } = useQuery<T>({
    queryKey: key,
    queryFn: async ({ signal }) => {
      try {
        return await read(signal);
      } catch (failure) {
        if (!signal.aborted) await authProvider?.checkError(failure);
        throw failure;
      }
    },
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
    // The client has repeated what may be repeated.
    retry: false,
  });
  return { data, refusal: error?.message };
}
