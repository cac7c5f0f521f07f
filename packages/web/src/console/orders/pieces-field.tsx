import type { ListedPart } from "@partline/client";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { readParts } from "../catalog/reads.ts";
import { useMay } from "../may.ts";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import type { Choice, Chosen } from "./pieces.ts";

interface PiecesFieldProps {
  choices: readonly Choice[];
  chosen: Chosen;
  /** Pieces on backorder can be chosen only once they are ticked: nobody ships by mistake what is not there. */
  ticksBackordered?: boolean | undefined;
  onChange(chosen: Chosen): void;
}

/** Reads products in the catalog by id: what a clerk who may not read it does not see. */
export function useListedParts(productIds: readonly string[]): Record<string, ListedPart> {
  const mayRead = useMay()("catalog:read");
  const { data } = useReading(["listed-parts", mayRead, ...productIds], async (signal) => {
    const parts = mayRead ? await readParts(productIds, signal) : [];
    return Object.fromEntries(parts.map((part) => [part.id, part]));
  });
  return data ?? {};
}

/** How many pieces of each product. */
export function PiecesField({ choices, chosen, ticksBackordered = false, onChange }: PiecesFieldProps): ReactNode {
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const parts = useListedParts(ticksBackordered ? choices.map(({ productId }) => productId) : []);
  return choices.map(({ productId, partNumber, name, left, backordered }) => {
    const needsTick = ticksBackordered && backordered > 0;
    const isTicked = ticked.includes(productId);
    const most = needsTick && !isTicked ? left - backordered : left;
    const shelf = parts[productId]?.shelf;
    const setCount = (count: number): void => onChange({ ...chosen, [productId]: count });
    return (
      <Stack
        key={productId}
        direction={{ xs: "column", sm: "row" }}
        spacing={{ xs: 1, sm: 2 }}
        sx={{ alignItems: { sm: "center" } }}
      >
        <Typography sx={{ flex: 1 }}>
          {partNumber} · {name}
          {shelf && (
            <Typography component="span" variant="body2" sx={{ display: "block", color: "text.secondary" }}>
              {texts.order.describeShelf(shelf)}
            </Typography>
          )}
        </Typography>
        <Stack>
          <TextField
            type="number"
            size="small"
            label={texts.order.quantity(partNumber)}
            value={chosen[productId] ?? 0}
            onChange={({ target }) => setCount(Math.min(most, Math.max(0, Math.floor(Number(target.value)) || 0)))}
            helperText={backordered > 0 ? texts.order.ofBackordered(left, backordered) : texts.order.of(left)}
            slotProps={{ htmlInput: { min: 0, max: most } }}
            sx={{ width: "13rem" }}
          />
          {needsTick && (
            <FormControlLabel
              label={texts.order.hasArrived(backordered)}
              control={
                <Checkbox
                  size="small"
                  checked={isTicked}
                  slotProps={{ input: { "aria-label": `${partNumber}: ${texts.order.hasArrived(backordered)}` } }}
                  onChange={(_, checked) => {
                    setTicked(checked ? [...ticked, productId] : ticked.filter((id) => id !== productId));
                    setCount(checked ? left : Math.min(chosen[productId] ?? 0, left - backordered));
                  }}
                />
              }
            />
          )}
        </Stack>
      </Stack>
    );
  });
}
