import Box from "@mui/material/Box";
import type { ReactNode } from "react";

interface FactsProps {
  facts: readonly (readonly [string, ReactNode])[];
  /** The values make a sum: figures stand below figures, at the end of the line. */
  isAmounts?: boolean;
}

const LIST = { display: "grid", gridTemplateColumns: "fit-content(45%) 1fr", gap: 0.5, columnGap: 2, m: 0 };
const AMOUNTS = { "& dd": { textAlign: "right", fontVariantNumeric: "tabular-nums" }, "& + dl": { mt: 1.5 } };

/** Names and values. */
export function Facts({ facts, isAmounts = false }: FactsProps): ReactNode {
  return (
    <Box component="dl" sx={{ ...LIST, ...(isAmounts && AMOUNTS) }}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== "")
        .map(([name, value], index) => (
          <Box key={index} sx={{ display: "contents" }}>
            <Box component="dt" sx={{ color: "text.secondary" }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: "anywhere", whiteSpace: "pre-line" }}>
              {value}
            </Box>
          </Box>
        ))}
    </Box>
  );
}
