import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** Names and values. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <Box
      component="dl"
      sx={{ display: "grid", gridTemplateColumns: "fit-content(45%) 1fr", gap: 0.5, columnGap: 2, m: 0 }}
    >
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
