import type { ReactNode } from "react";

interface TileProps {
  href: string;
  /** `PartIcon` or `Icon`, large. */
  icon?: ReactNode;
  /** How many there are, or what it is. */
  note?: ReactNode;
  children: ReactNode;
}

/** Renders a way into the catalog; goes into a `<ul className="tiles">`. */
export function Tile({ href, icon, note, children }: TileProps): ReactNode {
  return (
    <li>
      <a href={href} className="tile">
        {icon}
        <span>
          {children} {note !== undefined && <small>{note}</small>}
        </span>
      </a>
    </li>
  );
}
