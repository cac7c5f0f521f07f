import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

interface EmptyStateProps {
  icon: string;
  /** Says what is not here, as the page's or the section's heading. */
  heading: ReactNode;
  level?: 1 | 2;
  /** What to do instead. */
  children?: ReactNode;
}

/** Renders that there is nothing yet, and where to go on. */
export function EmptyState({ icon, heading, level = 2, children }: EmptyStateProps): ReactNode {
  const Heading = `h${level}` as const;
  return (
    <div className="empty-state">
      <Icon path={icon} />
      <Heading>{heading}</Heading>
      {children}
    </div>
  );
}
