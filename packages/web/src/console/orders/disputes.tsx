import type { AdminOrder } from "@partline/client";
import Alert from "@mui/material/Alert";
import AlertTitle from "@mui/material/AlertTitle";
import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { moment, money } from "../shared/format.ts";
import { texts } from "../texts.ts";
import { findDisputeStep } from "./pieces.ts";

const t = texts.disputes;

/** Returns whether a dispute holds money of the order; shipping it then needs a confirmation. */
export function isDisputed({ disputeState }: Pick<AdminOrder, "disputeState">): boolean {
  return disputeState === "open" || disputeState === "lost";
}

/** What stands against the order's payment, and until when something can be said to it. */
export function DisputeBanner({ order }: { order: AdminOrder }): ReactNode {
  const { disputeState, disputes, disputedAmount, currency } = order;
  if (disputeState === undefined) return null;
  const step = findDisputeStep(order);
  return (
    <Alert severity={disputeState === "inquiry" ? "warning" : "error"}>
      <AlertTitle>{t[disputeState]}</AlertTitle>
      {disputedAmount !== undefined && <div>{t.has(money(disputedAmount, currency))}</div>}
      {step && <div>{t.steps[step]}</div>}
      {disputes.map(({ disputeId, amount, status, reason, dueBy, url }) => (
        <div key={disputeId}>
          {url ? (
            <Link href={url} target="_blank" rel="noreferrer" color="inherit">
              {t.atProvider(disputeId)}
            </Link>
          ) : (
            disputeId
          )}
          {[
            "",
            amount === undefined ? undefined : money(amount, currency),
            texts.money.disputeStates[status] ?? inPlainWords(status),
            reason && (t.reasons[reason] ?? inPlainWords(reason)),
            dueBy && t.dueBy(moment(dueBy)),
          ]
            .filter((fact) => fact !== undefined)
            .join(" · ")}
        </div>
      ))}
    </Alert>
  );
}

/** Writes a code of the payment provider as words. */
const inPlainWords = (code: string): string => code.replaceAll("_", " ");
