import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

interface TileProps {
  href: string;
  /** A path of `icons/`. */
  icon?: string | undefined;
  /** How many there are, or what it is. */
  note?: ReactNode;
  children: ReactNode;
}

/** Renders a way into the catalog; goes into a `<ul className="tiles">`. */
export function Tile({ href, icon, note, children }: TileProps): ReactNode {
  return (
    <li>
      <a href={href} className="tile">
        {icon !== undefined && <Icon path={icon} size="large" />}
        <span>
          {children} {note !== undefined && <small>{note}</small>}
        </span>
      </a>
    </li>
  );
}
