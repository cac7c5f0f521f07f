import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import type { FoundBox } from "./list-boxes.ts";

/** On paper, which is white in either theme. */
export const INK: Record<FoundBox["kind"], string> = { table: "#0b5cad", part: "#1d6f3a", callout: "#b3261e" };

interface BoxesProps {
  boxes: readonly FoundBox[];
  chosen: string | undefined;
  onChoose(id: string): void;
}

/** Drawn over the page for the eye and the pointer; the list beside it has the same for everybody. */
export function Boxes({ boxes, chosen, onChoose }: BoxesProps): ReactNode {
  return (
    <Box
      component="svg"
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      aria-hidden
      sx={{ position: "absolute", inset: 0, width: "100%", height: "100%" }}
    >
      {boxes.map(
        ({ id, kind, box }) =>
          box && (
            <rect
              key={id}
              data-found={id}
              {...box}
              fill={INK[kind]}
              fillOpacity={id === chosen ? 0.35 : 0.06}
              stroke={INK[kind]}
              strokeWidth={id === chosen ? 3 : 1.5}
              vectorEffect="non-scaling-stroke"
              onClick={() => onChoose(id)}
            />
          ),
      )}
    </Box>
  );
}
