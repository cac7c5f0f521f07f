import type { FigureDrawing, LiveStock } from "@partline/client";
import { useRef, useState, type ReactNode } from "react";
import { Drawing } from "./drawing.tsx";
import { FigureParts, type ListedPart } from "./figure-parts.tsx";

interface DrawnPartsProps {
  drawings: readonly FigureDrawing[];
  /** A picture in place of drawings, where nothing can be chosen in any. */
  picture?: ReactNode;
  parts: readonly ListedPart[];
  stock: readonly LiveStock[];
  /** A part number in any spelling: it is chosen at first. */
  part: string;
  /** Below the list. */
  children?: ReactNode;
}

/** Drawings with the list of their parts beside: what is chosen in one is shown in the other. */
export function DrawnParts({ drawings, picture, parts, stock, part, children }: DrawnPartsProps): ReactNode {
  const drawn = new Set(drawings.flatMap(({ callouts }) => callouts.map(({ ref }) => ref)));
  const [chosen, setChosen] = useState(() => findReference(parts, part));
  const [pointedAt, setPointedAt] = useState<string>();
  const list = useRef<HTMLDivElement>(null);

  /** The list beside the drawing goes to the part whose number was chosen. */
  const chooseInDrawing = (reference: string): void => {
    setChosen(reference);
    const row = [...(list.current?.querySelectorAll<HTMLElement>("[data-reference]") ?? [])].find(
      ({ dataset }) => dataset["reference"] === reference,
    );
    row?.scrollIntoView({ block: "nearest" });
    row?.focus({ preventScroll: true });
  };

  return (
    <div className="figure">
      <div className="figure-drawings">
        {drawings.map((drawing) => (
          <Drawing
            key={drawing.page}
            drawing={drawing}
            {...{ chosen, pointedAt }}
            onPoint={setPointedAt}
            onChoose={chooseInDrawing}
          />
        ))}
        {drawings.length === 0 && picture}
      </div>
      <div ref={list}>
        <FigureParts {...{ parts, stock, chosen, pointedAt, drawn }} onPoint={setPointedAt} onChoose={setChosen} />
        {children}
      </div>
    </div>
  );
}

/** The number in the drawing of a part number. */
export function findReference(parts: readonly ListedPart[], partNumber: string): string | undefined {
  const number = plain(partNumber);
  if (number === "") return undefined;
  return parts.find((part) => part.partNumber !== null && plain(part.partNumber) === number)?.reference ?? undefined;
}

function plain(partNumber: string): string {
  return partNumber.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
