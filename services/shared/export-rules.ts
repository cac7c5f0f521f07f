import { encodeCursor } from "../../broker/contract/cursor.ts";
import { exportPageParams, exportPageRule } from "../../broker/contract/export-page.ts";
import { isoMomentRule } from "../../broker/contract/period.ts";
import { oneOf, rules, string } from "@partline/api-contracts";
import type { Scope } from "../../broker/contract/scopes.ts";
import type { EntryPoint } from "../../broker/contract/define.ts";

export const exportParams = rules({
  ...exportPageParams,
  format: oneOf(["ndjson", "csv"], { default: "ndjson" }),
  from: { ...isoMomentRule, description: "At or after the start of this date (a day of the shop) or this time" },
  to: { ...isoMomentRule, description: "Before this time, or until the end of this date (a day of the shop)" },
  cursor: string({
    min: 1,
    max: 2_000,
    optional: true,
    description: "Of the last row that is there: rows after it",
  }),
});

const EXPORT =
  "Lines of JSON, or CSV with a line of names (none after a cursor), sent as they are read: an export may have any " +
  "length. Each row has a `cursor`; one that breaks off goes on with that of its last whole row. In CSV texts, what a " +
  "spreadsheet would run has an apostrophe in front.";

const ORDER_PLACE = [1_763_717_400_000, "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A"];

/** The action of `GET /api/admin/export/NAME`. */
export function exportAction<const Name extends string>(
  name: Name,
  facts: {
    what: string;
    order: string;
    scope: Scope;
    entries: readonly EntryPoint[];
    /** The place of a row, for the example of a cursor. */
    place?: readonly (number | string)[];
  },
) {
  return {
    summary: `Export ${facts.what}`,
    description: `${facts.order} ${EXPORT}`,
    params: { ...exportParams, cursor: { ...exportParams.cursor, example: encodeCursor(facts.place ?? ORDER_PLACE) } },
    result: exportPageRule,
    errors: ["VALIDATION_FAILED"],
    http: [
      {
        method: "GET",
        path: `/api/admin/export/${name}`,
        entries: facts.entries,
        access: "admin",
        scope: facts.scope,
        envelope: false,
        answer: "pages",
        produces: ["application/x-ndjson", "text/csv"],
      },
    ],
  } as const;
}
