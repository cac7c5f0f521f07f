import type { ReactNode } from "react";

interface IconProps {
  /** One path's `d`, drawn on a grid of 24 with a stroke of 1.7: `icons/ui.ts`. */
  path: string;
  size?: "small" | "normal" | "large";
  /** Its name, where no text beside it says the same. */
  label?: string;
}

/** Renders an icon in the colour of the text around it. */
export function Icon({ path, size = "normal", label }: IconProps): ReactNode {
  const name = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg viewBox="0 0 24 24" className={size === "normal" ? "icon" : `icon ${size}`} {...name}>
      <path d={path} />
    </svg>
  );
}
