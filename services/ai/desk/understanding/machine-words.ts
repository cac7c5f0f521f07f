/** Words for a machine as a whole: beside its name they name no part. Folded and singular, as terms are. */
export const MACHINES: ReadonlySet<string> = new Set(
  "mower lawnmower lawn rider tractor engine motor machine unit equipment sprayer baler cutter loader".split(" "),
);
