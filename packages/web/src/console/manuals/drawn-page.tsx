import type { ManualOverview } from "@partline/client";
import Box from "@mui/material/Box";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { Refusal } from "../shared/refusal.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { Boxes } from "./boxes.tsx";
import { listBoxes } from "./list-boxes.ts";
import { Findings } from "./findings.tsx";
import { isWaiting } from "./page-state.ts";
import { type PageOfManual, readPage } from "./reads.ts";

const { manuals } = texts;

/** A page as it is drawn, with what was read of it as boxes, and beside it in words. */
export function DrawnPage({ of: manual, page }: { of: ManualOverview; page: number }): ReactNode {
  const { sha256 } = manual;
  const { data, refusal } = useReading(["manual-page", sha256, page], (signal) => readPage(sha256, page, signal), {
    isRunning: isChanging,
  });
  const [chosen, setChosen] = useState<string>();
  if (refusal !== undefined) return <Refusal error={refusal} />;
  if (!data) return <LinearProgress aria-label={texts.loading} />;
  const boxes = listBoxes(data);
  const proportion = data.width && data.height ? `${data.width} / ${data.height}` : undefined;
  return (
    <Stack direction={{ xs: "column", lg: "row" }} spacing={2} sx={{ alignItems: "start" }}>
      <Box sx={{ flex: 3, minWidth: 0, width: "100%", position: { xs: "relative", lg: "sticky" }, top: { lg: 64 } }}>
        <Box
          component="img"
          src={data.imageUrl}
          alt={manuals.drawnPage(page)}
          // It may be drawn only now: until then its place is there.
          sx={{ display: "block", width: "100%", aspectRatio: proportion, bgcolor: "#fff" }}
        />
        <Boxes boxes={boxes} chosen={chosen} onChoose={setChosen} />
      </Box>
      <Findings manual={manual} of={data} boxes={boxes} chosen={chosen} onChoose={setChosen} />
    </Stack>
  );
}

/** Whether OCR still reads it, or a correction is not everywhere yet. */
function isChanging(page: PageOfManual): boolean {
  return isWaiting(page) || page.corrections.some(({ state }) => state === "under_way");
}
