import type { ManualOverview } from "@partline/client";
import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { useRefresh } from "react-admin";
import { partline } from "../partline.ts";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";

const { manuals } = texts;

/** Shows what is still being read of a manual, or stays unread; it is usable meanwhile. */
export function ManualState({ of: manual }: { of: ManualOverview }): ReactNode {
  const refresh = useRefresh();
  const { sha256 } = manual;
  const { data = manual } = useReading(
    ["manual-state", sha256],
    (signal) => partline.pipeline.overview({ sha256 }, { signal }),
    {
      isRunning: ({ pages_recognising, correction }) => pages_recognising !== undefined || correction === "under_way",
      onEnded: refresh,
    },
  );
  const { pages_recognising: recognising, pages_list_pictures: pictures, recognition_off: isOff = false } = data;
  return (
    <div aria-live="polite">
      {data.correction === "under_way" && <Alert severity="info">{manuals.correcting}</Alert>}
      {recognising !== undefined && <Alert severity="info">{manuals.describeRecognition(recognising)}</Alert>}
      {pictures !== undefined && <Alert severity="warning">{manuals.describeListPictures(pictures, isOff)}</Alert>}
    </div>
  );
}
