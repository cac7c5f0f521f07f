import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";
import type { Choice, Chosen } from "./pieces.ts";

interface PiecesFieldProps {
  choices: readonly Choice[];
  chosen: Chosen;
  onChange(chosen: Chosen): void;
}

/** How many pieces of each product. */
export function PiecesField({ choices, chosen, onChange }: PiecesFieldProps): ReactNode {
  return choices.map(({ productId, partNumber, name, left, backordered }) => (
    <Stack
      key={productId}
      direction={{ xs: "column", sm: "row" }}
      spacing={{ xs: 1, sm: 2 }}
      sx={{ alignItems: { sm: "center" } }}
    >
      <Typography sx={{ flex: 1 }}>
        {partNumber} · {name}
      </Typography>
      <TextField
        type="number"
        size="small"
        label={texts.order.quantity(partNumber)}
        value={chosen[productId] ?? 0}
        onChange={({ target }) =>
          onChange({ ...chosen, [productId]: Math.min(left, Math.max(0, Math.floor(Number(target.value)) || 0)) })
        }
        helperText={backordered > 0 ? texts.order.ofBackordered(left, backordered) : texts.order.of(left)}
        slotProps={{ htmlInput: { min: 0, max: left } }}
        sx={{ width: "13rem" }}
      />
    </Stack>
  ));
}
