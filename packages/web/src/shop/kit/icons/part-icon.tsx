import { findPartKind, readKindWords } from "@partline/parts-language";
import type { ReactNode } from "react";
import kindWords from "words:part-kinds";
import drawings from "./parts.svg";

const WORDS = readKindWords(kindWords);

/** Returns the kind of a part by its title. */
export function findKind(name: string): string | undefined {
  return findPartKind(name, WORDS);
}

/** Renders the icon of a part by its title, or of a category by its name, in the colour of the text around it. */
export function PartIcon({ name, className = "icon large" }: { name: string; className?: string }): ReactNode {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <use href={`${drawings}#${findKind(name) ?? "other"}`} />
    </svg>
  );
}
