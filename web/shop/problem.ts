import type { PartlineError } from "@partline/client";
import { useShop } from "./context.tsx";

/** Why something failed, in the shopper's words, or in the API's, which name the field. */
export function useProblem(): (error: PartlineError) => string {
  const { texts } = useShop();
  return ({ code, message }) => {
    switch (code) {
      case "NETWORK_ERROR":
      case "UNEXPECTED_ANSWER":
        return texts.networkProblem;
      case "UNAUTHORIZED":
        return texts.sessionExpired;
      default:
        return message;
    }
  };
}
