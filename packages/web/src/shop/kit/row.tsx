import type { ReactNode } from "react";

interface RowProps {
  /** `Picture`, or the icon of its kind. */
  picture: ReactNode;
  title: ReactNode;
  href: string;
  /** Maker and number. */
  note: ReactNode;
  /** Each a `Fact`; those that are false are left out. */
  facts?: readonly ReactNode[];
  /** More lines about it. */
  children?: ReactNode;
  /** Price, stock and button, in this order. */
  buy?: ReactNode;
}

/** Renders one part of a list; goes into an `<ol className="rows">`. */
export function Row({ picture, title, href, note, facts = [], children, buy }: RowProps): ReactNode {
  const shownFacts = facts.filter(Boolean);
  return (
    <li className="row">
      {picture}
      <div className="row-about">
        <h2>
          <a href={href}>{title}</a>
        </h2>
        <p className="soft small">{note}</p>
        {children}
        {shownFacts.length > 0 && (
          <ul className="fact-list">
            {shownFacts.map((fact, index) => (
              <li key={index}>{fact}</li>
            ))}
          </ul>
        )}
      </div>
      {buy !== undefined && <div className="row-buy">{buy}</div>}
    </li>
  );
}
