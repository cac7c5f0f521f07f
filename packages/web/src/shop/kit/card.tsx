import type { ComponentProps, ReactNode } from "react";

interface CardProps extends ComponentProps<"section"> {
  /** Its heading; the card is a section of that name. */
  heading?: string;
  /** `tinted`: a note in the shop's colour, such as the machine that a search names. */
  kind?: "paper" | "tinted";
}

/** Renders what belongs together on a sheet of its own. */
export function Card({ heading, kind = "paper", className = "", children, ...section }: CardProps): ReactNode {
  const classes = ["card", kind === "tinted" ? "tinted" : "", className].filter(Boolean).join(" ");
  if (heading === undefined) return <div className={classes}>{children}</div>;
  return (
    <section {...section} className={classes} aria-label={section["aria-label"] ?? heading}>
      <h2>{heading}</h2>
      {children}
    </section>
  );
}
