import { Family } from "../../broker/metrics/exposition.ts";

/** What this node did, and what waits for any. */
export interface PipelineCounts {
  pagesRead: number;
  pagesLost: number;
  filesRead: number;
  filesFailed: number;
  workGivenUp: number;
  /** Pieces of work under way. */
  busy: number;
  /** Files that are queued or being read, as last counted. */
  filesWaiting: number;
}

export function newCounts(): PipelineCounts {
  return { pagesRead: 0, pagesLost: 0, filesRead: 0, filesFailed: 0, workGivenUp: 0, busy: 0, filesWaiting: 0 };
}

export function pipelineFamilies(
  { pagesRead, pagesLost, filesRead, filesFailed, workGivenUp, busy, filesWaiting }: PipelineCounts,
  slots: number,
): Family[] {
  return [
    new Family("partline_pipeline_pages_read_total", "counter", "Pages that were read").add(pagesRead),
    new Family("partline_pipeline_pages_failed_total", "counter", "Pages that could not be read").add(pagesLost),
    new Family(
      "partline_pipeline_files_read_total",
      "counter",
      "Manuals that were put together, with lost pages or without",
    ).add(filesRead),
    new Family("partline_pipeline_files_failed_total", "counter", "Files of which nothing could be read").add(
      filesFailed,
    ),
    new Family("partline_pipeline_work_given_up_total", "counter", "Pieces of work that failed again and again").add(
      workGivenUp,
    ),
    new Family("partline_pipeline_slots", "gauge", "Pieces of work that this node takes at a time").add(slots),
    new Family("partline_pipeline_slots_busy", "gauge", "Pieces of work under way").add(busy),
    new Family("partline_pipeline_files_waiting", "gauge", "Files that are queued or being read, on any node").add(
      filesWaiting,
    ),
  ];
}
