import type { Condition } from "./port.ts";

/** The condition that a text holds `piece` somewhere, in any case. No index serves it. */
export function contains(piece: string): Condition {
  return { $regex: new RegExp(piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i") };
}
