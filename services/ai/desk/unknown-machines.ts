import { listed } from "./phrases.ts";
import { equipmentName } from "./quotable.ts";
import type { Finding } from "./retrieval.ts";

/** Where an equipment stands in a question, and a part does not. */
const ON = String.raw`\b(?:fits?|on|in|into|does|do)\s+`;
const RIGHT_FOR = String.raw`\b(?:fits?|on|in|into|does|do|for|with|to)\s+`;
const BETWEEN = String.raw`(?:(?:the|an?|my|our|your)\s+)?(?:\p{L}+\s+)?`;

/** Those of what looks like a model that are asked about as equipment. @param strangers of letters, digits, dashes and blanks alone @param isWhether it is asked whether something fits */
export function machinesAskedFor(text: string, strangers: readonly string[], isWhether: boolean): string[] {
  return strangers.filter((stranger) => new RegExp(`${isWhether ? RIGHT_FOR : ON}${BETWEEN}${stranger}(?![\\p{L}\\p{N}])`, "iu").test(text));
}

/** Said without its name: it may be a number that nobody knows. */
export function unknownMachinesSaid(findings: readonly Finding[]): string[] {
  const unknown = findings.filter(({ parts, unknownMachines }) => parts.length > 0 && unknownMachines.length > 0);
  return unknown.slice(0, 1).map(({ ask, nearModels }) => {
    const near = nearModels.length === 0 ? "" : ` Did you mean the ${listed(nearModels.map(equipmentName))}?`;
    return `No manual of ${ask.models.length > 0 ? "the other" : "that"} equipment was read: what fits it is not known.${near}`;
  });
}
