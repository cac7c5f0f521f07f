import { Fragment, type ReactNode } from "react";

/** Texts below each other. */
export function Lines({ of: lines }: { of: readonly ReactNode[] }): ReactNode {
  return lines.map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
}
