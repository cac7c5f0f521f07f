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
      const first = account.store.openSessions(1)[0];
      const due = first && Math.max(0, first.expires_at - account.now());
      if (first?.expires_at === armedFor && timer) return;
      clearTimeout(timer);
      armedFor = first?.expires_at;
      timer = due === undefined ? undefined : setTimeout(fire, Math.min(due * 1_000, LONGEST_WAIT_MS));
    },
    disarm(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
