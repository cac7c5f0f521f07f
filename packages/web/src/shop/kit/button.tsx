import type { ComponentProps, ReactNode } from "react";

interface ButtonLook {
  /** `primary`: what the page is for, once in a view; `plain`: a link that acts; `bare`: an icon alone. */
  kind?: "primary" | "ghost" | "plain" | "bare";
  size?: "compact" | "normal" | "full";
}

interface ButtonProps extends ButtonLook, ComponentProps<"button"> {
  /** What it does is under way: it stays in place, and takes no second press. */
  isBusy?: boolean;
}

/** Renders a button. */
export function Button({ kind, size, isBusy = false, className, ...button }: ButtonProps): ReactNode {
  return <button {...button} className={listClasses({ kind, size }, className)} aria-busy={isBusy} />;
}

/** Renders a link that looks like a button. */
export function ButtonLink({ kind, size, className, ...link }: ButtonLook & ComponentProps<"a">): ReactNode {
  return <a {...link} className={listClasses({ kind, size }, "button", className)} />;
}

function listClasses({ kind = "ghost", size = "normal" }: ButtonLook, ...more: (string | undefined)[]): string {
  return [...more, kind === "ghost" ? "" : kind, size === "normal" ? "" : size].filter(Boolean).join(" ");
}
