import type { ReactNode } from "react";

const NUT = "M7 2.5h10L22 12l-5 9.5H7L2 12zM12 7.4a4.6 4.6 0 100 9.2 4.6 4.6 0 000-9.2z";

/** Renders the mark of a shop without a logo: a nut. */
export function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 24 24" className="mark" aria-hidden="true">
      <path d={NUT} />
    </svg>
  );
}
