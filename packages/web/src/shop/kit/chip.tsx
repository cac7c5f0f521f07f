import type { MouseEventHandler, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { CHECK, CLOSE } from "./icons/ui.ts";

interface ChipProps {
  /** It holds now: a filter that is set, the machine that is chosen. */
  isOn?: boolean;
  /** Where it leads: a search to try, or the same list without it. */
  href?: string;
  /** With `href`: what a script does in its place. */
  onClick?: MouseEventHandler;
  onRemove?: () => void;
  /** What removing it is called; shows a cross. With `href`, that link removes it. */
  removeLabel?: string;
  children: ReactNode;
}

/** Renders a short word that holds, leads somewhere or can be taken away. */
export function Chip({ isOn = false, href, onClick, onRemove, removeLabel, children }: ChipProps): ReactNode {
  const className = isOn ? "chip on" : "chip";
  const check = isOn && (href === undefined || removeLabel === undefined) && <Icon path={CHECK} size="small" />;
  if (href !== undefined)
    return (
      <a className={className} href={href} onClick={onClick} aria-label={removeLabel}>
        {check}
        {children}
        {removeLabel !== undefined && <Icon path={CLOSE} size="small" />}
      </a>
    );
  return (
    <span className={className}>
      {check}
      {children}
      {onRemove && (
        <Button kind="bare" aria-label={removeLabel} onClick={onRemove}>
          <Icon path={CLOSE} size="small" />
        </Button>
      )}
    </span>
  );
}
