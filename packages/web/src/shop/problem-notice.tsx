import type { ReactNode } from "react";

/** Says what went wrong, as it goes wrong; nothing without a text. */
export function ProblemNotice({ text }: { text: string | undefined }): ReactNode {
  return (
    text !== undefined && (
      <p role="alert" className="problem">
        {text}
      </p>
    )
  );
}
