import type { Account } from "../scope.ts";

const LONGEST_WAIT_MS = 3_600_000;

/** Calls `expire` when the first open session falls due. `arm` again after every change. */
export function createExpiryTimer(account: Account, expire: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let armedFor: number | undefined;

  function fire(): void {
    timer = undefined;
    expire();
  }

  return {
    arm(): void {
      const next = account.store.nextExpiry();
      if (timer && next === armedFor) return;
      clearTimeout(timer);
      armedFor = next;
      timer =
        next === undefined
          ? undefined
          : setTimeout(fire, Math.min(Math.max(0, next - account.now()) * 1_000, LONGEST_WAIT_MS));
    },
    disarm(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
