import { Fragment, type ReactNode } from "react";

export interface SummaryRow {
  name: ReactNode;
  value: ReactNode;
  isTotal?: boolean;
}

/** Renders amounts below each other, and what they make. */
export function SummaryList({ rows }: { rows: readonly SummaryRow[] }): ReactNode {
  return (
    <dl className="summary-list">
      {rows.map(({ name, value, isTotal = false }, index) => (
        <Fragment key={index}>
          <dt className={isTotal ? "total" : undefined}>{name}</dt>
          <dd className={isTotal ? "total" : undefined}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
