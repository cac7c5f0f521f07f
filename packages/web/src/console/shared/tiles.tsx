import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

/** Name, value, and notes: what it is of, what it is compared with. */
export type Tile = [name: string, value: string, ...notes: string[]];

/** Figures at a glance. */
export function Tiles({ label, tiles }: { label: string; tiles: readonly Tile[] }): ReactNode {
  return (
    <Box
      component="section"
      aria-label={label}
      sx={{ display: "grid", gap: 1, gridTemplateColumns: "repeat(auto-fill, minmax(min(11rem, 46%), 1fr))" }}
    >
      {tiles.map(([name, value, ...notes]) => (
        <Card key={name} variant="outlined" sx={{ p: 1.5 }}>
          <Typography variant="body2" sx={{ color: "text.secondary" }}>
            {name}
          </Typography>
          <Typography variant="h5" component="p">
            {value}
          </Typography>
          {notes.map((note) => (
            <Typography key={note} variant="body2" sx={{ color: "text.secondary" }}>
              {note}
            </Typography>
          ))}
        </Card>
      ))}
    </Box>
  );
}
