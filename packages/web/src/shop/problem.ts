import type { PartlineError } from "@partline/client";
import { useShop } from "./context.tsx";
import { problemOf } from "./problem-text.ts";

export function useProblem(): (error: PartlineError) => string {
  const { texts } = useShop();
  return (error) => problemOf(error, texts);
}
