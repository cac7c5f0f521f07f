import { useState } from "react";
import { flushSync } from "react-dom";
import { useAuthProvider, useNotify, useRefresh } from "react-admin";
import { texts } from "../texts.ts";
import { describeProblem } from "./words-of.ts";

/** Runs something once at a time; then the page is read again. */
export function useAction(done: string | undefined, onDone: () => void = () => undefined) {
  const notify = useNotify();
  const refresh = useRefresh();
  const authProvider = useAuthProvider();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setRefusal(undefined);
    try {
      await work();
      if (done !== undefined) notify(done, { type: "success" });
      // What closes is not read again: its question may make no sense any more.
      flushSync(onDone);
      refresh();
    } catch (error) {
      await authProvider?.checkError(error);
      setRefusal(describeProblem(error, texts.actions.noAnswer));
      // Somebody else may have changed it.
      refresh();
    } finally {
      setBusy(false);
    }
  }

  return { act: (work: () => Promise<unknown>) => void (isBusy || run(work)), refusal, isBusy };
}
