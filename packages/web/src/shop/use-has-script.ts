import { useSyncExternalStore } from "react";

const never = (): (() => void) => () => undefined;

/** Returns whether the page's script is here: what needs it takes nothing before. */
export function useHasScript(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
