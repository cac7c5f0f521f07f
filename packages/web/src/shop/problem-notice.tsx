import type { ReactNode } from "react";
import { Notice } from "./kit/notice.tsx";

interface ProblemNoticeProps {
  text: string | undefined;
  /** Takes the focus as it appears, where the whole page was asked for something. */
  takesFocus?: boolean;
}

/** Says what went wrong, as it goes wrong; nothing without a text. */
export function ProblemNotice({ text, takesFocus = false }: ProblemNoticeProps): ReactNode {
  return (
    text !== undefined && (
      <Notice kind="bad" takesFocus={takesFocus} key={text}>
        <p>{text}</p>
      </Notice>
    )
  );
}
