import { adjustContrast } from "@partline/toolkit";
import type { ShopFacts } from "./shop-facts.ts";

/** Without a colour of the shop's own: that of the pages (packages/web/DESIGN.md). */
const DEFAULT_COLOUR = "#0e5a45";

/** Returns the shop's colour, as dark as it takes to be read on white paper, or to have white on it. */
export function getBrandColour({ primary }: Pick<ShopFacts["colours"], "primary">): string {
  return adjustContrast(primary ?? DEFAULT_COLOUR, "#ffffff");
}
