import type { Metrics } from "@partline/moleculer-kit";

export type PipelineCounts = ReturnType<typeof createCounts>;

/** Creates the counts of what this node did, and of the files that wait for any node, as last counted. */
export function createCounts() {
  return { pagesRead: 0, pagesLost: 0, filesRead: 0, filesFailed: 0, workGivenUp: 0, busy: 0, filesWaiting: 0 };
}

export function showPipeline(metrics: Metrics, counts: PipelineCounts, slots: number): void {
  const figures: [name: string, help: string, read: () => number][] = [
    ["pages_read_total", "Pages that were read", () => counts.pagesRead],
    ["pages_failed_total", "Pages that could not be read", () => counts.pagesLost],
    ["files_read_total", "Manuals that were assembled, with or without lost pages", () => counts.filesRead],
    ["files_failed_total", "Files that could not be read", () => counts.filesFailed],
    ["work_given_up_total", "Tasks that were given up after repeated failures", () => counts.workGivenUp],
    ["slots", "Tasks that this node works on at a time", () => slots],
    ["slots_busy", "Tasks in progress", () => counts.busy],
    ["files_waiting", "Files that are queued or being read, on any node", () => counts.filesWaiting],
  ];
  for (const [name, help, readValue] of figures) metrics.read(`partline_pipeline_${name}`, help, readValue);
}
