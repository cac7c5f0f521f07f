import { useId, type ReactNode } from "react";

/** What ties a control to its words: to be spread into it. */
interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

interface FieldProps {
  label: ReactNode;
  /** Stands below the control. */
  hint?: ReactNode;
  /** Why what was entered cannot be taken; in place of the hint. */
  problem?: string | undefined;
  /** Takes the whole line of a `.fields` grid. */
  isWide?: boolean;
  /** Renders the control: `(control) => <input {...control} name="city" />`. */
  children(control: ControlProps): ReactNode;
}

/** Renders a control with its label above and its hint or problem below. */
export function Field({ label, hint, problem, isWide = false, children }: FieldProps): ReactNode {
  const id = useId();
  const note = problem ?? hint;
  const noteId = `${id}-note`;
  return (
    <div className={isWide ? "field wide" : "field"}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(note !== undefined && { "aria-describedby": noteId }),
        ...(problem !== undefined && { "aria-invalid": true }),
      })}
      {note !== undefined && (
        <span id={noteId} className={problem === undefined ? "field-hint" : "field-problem"}>
          {note}
        </span>
      )}
    </div>
  );
}
