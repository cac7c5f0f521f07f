import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

/** Name, value, and what it is of. */
export type Tile = [string, string, string];

/** Figures at a glance. */
export function Tiles({ label, tiles }: { label: string; tiles: readonly Tile[] }): ReactNode {
  return (
    <Box
      component="section"
      aria-label={label}
      sx={{ display: "grid", gap: 1, gridTemplateColumns: "repeat(auto-fill, minmax(11rem, 1fr))" }}
    >
      {tiles.map(([name, value, note]) => (
        <Card key={name} variant="outlined" sx={{ p: 1.5 }}>
          <Typography variant="body2" sx={{ color: "text.secondary" }}>
            {name}
          </Typography>
          <Typography variant="h5" component="p">
            {value}
          </Typography>
          <Typography variant="body2" sx={{ color: "text.secondary" }}>
            {note}
          </Typography>
        </Card>
      ))}
    </Box>
  );
}
