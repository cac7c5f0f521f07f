import type { ReactNode } from "react";

interface StepsProps {
  label: string;
  steps: readonly string[];
  /** Index of the one that the page is at. */
  current: number;
}

/** Renders the steps of a way, and where on it the page is. */
export function Steps({ label, steps, current }: StepsProps): ReactNode {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map((step, index) => (
        <li key={step} aria-current={index === current ? "step" : undefined}>
          {step}
        </li>
      ))}
    </ol>
  );
}
