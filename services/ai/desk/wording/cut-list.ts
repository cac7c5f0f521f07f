import { equipmentName } from "./quotable.ts";
import type { Finding } from "../finding/retrieval.ts";

/** Where a list was cut: how many there are, and where the others are. */
export function cutSaid(
  { ask, total, isAtLeast }: Pick<Finding, "ask" | "total" | "isAtLeast">,
  shown: number,
): string[] {
  if (total <= shown) return [];
  const [model] = ask.models;
  const words = ask.terms.filter((term) => !/\d/.test(term)).join(" ");
  const rest =
    model === undefined
      ? `/api/search?q=${encodeURIComponent(words)}`
      : `/api/ai/equipment?model=${encodeURIComponent(equipmentName(model.equipment))}`;
  return [`${shown} of ${total}${isAtLeast ? " or more" : ""}; the others are among those of ${rest}`];
}
