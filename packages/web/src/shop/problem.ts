import { isPartlineError, type PartlineError } from "@partline/client";
import { useState } from "react";
import { useShop } from "./context.tsx";
import { explainProblem } from "./problem-text.ts";

export function useProblem(): (error: PartlineError) => string {
  const { texts } = useShop();
  return (error) => explainProblem(error, texts);
}

/** Runs one action at a time, however often a button is pressed; what the API refuses is the `problem`. */
export function useAction() {
  const describeProblem = useProblem();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (action: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      await action();
    } catch (error) {
      if (!isPartlineError(error)) throw error;
      setProblem(describeProblem(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { run, problem, isBusy };
}
