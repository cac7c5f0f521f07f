import type { ManualLinks } from "../../../shared/manual-links.ts";
import { listed } from "./phrases.ts";
import { equipmentName } from "./quotable.ts";
import type { Quote } from "../finding/quotes.ts";
import type { Finding } from "../finding/retrieval.ts";

/** `The GT-2254 manual, page 12: "Wheel nut 60 ft-lb" (link).` */
function quoteSaid({ line, sha256, page, equipment }: Quote, links: Pick<ManualLinks, "pdf">): string {
  const manual = `The ${equipmentName(equipment)} manual`;
  const link = links.pdf(sha256, page);
  return line === undefined
    ? `${manual} speaks of it on page ${page}: ${link}`
    : `${manual}, page ${page}: "${line}" ${link}`;
}

/** The quotes of a finding, behind which manuals give more than one value for what was asked. */
export function quotesSaid(quotes: readonly Quote[], links: Pick<ManualLinks, "pdf">): string[] {
  const unsure = [
    ...new Set(quotes.filter(({ isOneOfSeveral }) => isOneOfSeveral).map(({ equipment }) => equipmentName(equipment))),
  ];
  return [
    ...unsure.map((equipment) => `The ${equipment} manual gives more than one value:`),
    ...quotes.map((quote) => quoteSaid(quote, links)),
  ];
}

/** That no text tells what was asked for. @param isSearched whether the text of the manuals could be */
export function untoldSaid({ untold, ask }: Pick<Finding, "untold" | "ask">, isSearched: boolean): string[] {
  if (untold === undefined || !isSearched) return [];
  const machines = [...new Set(ask.models.map(({ equipment }) => equipmentName(equipment)))];
  return [
    `No ${untold} of it is told by the text of the manuals ${machines.length === 0 ? "" : `of the ${listed(machines)} `}that were read.`,
  ];
}
