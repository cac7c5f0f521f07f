import { Fragment, type ReactNode } from "react";

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** A text that was escaped for HTML, with what matched in `<em>`: nothing else of it becomes markup. */
export function Highlighted({ text }: { text: string }): ReactNode {
  return (
    <span className="highlight">
      {text.split(/(<em>.*?<\/em>)/s).map((piece, index) => {
        const match = /^<em>(.*)<\/em>$/s.exec(piece)?.[1];
        return match === undefined ? (
          <Fragment key={index}>{plain(piece)}</Fragment>
        ) : (
          <em key={index}>{plain(match)}</em>
        );
      })}
    </span>
  );
}

function plain(escaped: string): string {
  return escaped.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);
}
