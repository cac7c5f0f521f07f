import { findPartKind, type KindGroups, readKindWords } from "@partline/parts-language";
import type { ReactNode } from "react";
import drawings from "./parts.svg";

/** The build has it from parts-language. */
declare const PART_KIND_WORDS: KindGroups;
const WORDS = readKindWords(PART_KIND_WORDS);

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
