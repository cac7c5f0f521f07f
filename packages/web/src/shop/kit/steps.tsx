import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { CHECK } from "./icons/ui.ts";

export interface Step {
  name: string;
  /** When it was done, or when it will be. */
  note?: ReactNode;
}

interface StepsProps {
  label: string;
  steps: readonly Step[];
  /** Index of the step that is under way; those before are done. */
  current: number;
  /** How many are done, if the current one is among them: what follows it is still awaited. */
  done?: number;
}

/** Renders how far something is: a checkout, an order. */
export function Steps({ label, steps, current, done = current }: StepsProps): ReactNode {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map(({ name, note }, index) => (
        <li
          key={name}
          className={index < done ? "done" : undefined}
          aria-current={index === current ? "step" : undefined}
        >
          <span className="step-mark" aria-hidden="true">
            {index < done ? <Icon path={CHECK} size="small" /> : index + 1}
          </span>
          <span className="step-name">{name}</span>
          {note !== undefined && <span className="soft small">{note}</span>}
        </li>
      ))}
    </ol>
  );
}
