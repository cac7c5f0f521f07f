import { listed } from "./phrases.ts";
import { equipmentName } from "./quotable.ts";
import type { Finding } from "../finding/retrieval.ts";

/** Said without its name: it may be a number that nobody knows. */
export function unknownMachinesSaid(findings: readonly Finding[]): string[] {
  const unknown = findings.filter(({ parts, unknownMachines }) => parts.length > 0 && unknownMachines.length > 0);
  return unknown.slice(0, 1).map(({ ask, nearModels }) => {
    const near = nearModels.length === 0 ? "" : ` Did you mean the ${listed(nearModels.map(equipmentName))}?`;
    return `No manual of ${ask.models.length > 0 ? "the other" : "that"} equipment was read: what fits it is not known.${near}`;
  });
}
