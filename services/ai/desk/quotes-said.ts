import type { ManualLinks } from "../links.ts";
import { equipmentName } from "./quotable.ts";
import type { Quote } from "./quotes.ts";

/** `The GT-2254 manual, page 12: "Wheel nut 60 ft-lb" (link).` */
export function quoteSaid({ line, sha256, page, equipment }: Quote, links: Pick<ManualLinks, "pdf">): string {
  const manual = `The ${equipmentName(equipment)} manual`;
  const link = links.pdf(sha256, page);
  return line === undefined ? `${manual} speaks of it on page ${page}: ${link}` : `${manual}, page ${page}: "${line}" ${link}`;
}
