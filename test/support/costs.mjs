import { readFileSync } from "node:fs";

/** Processor time of this process and of the ended processes that it started, and what keeps it from ending. */
export function measureCosts() {
  const { user, system } = process.cpuUsage();
  // Linux alone has these files; their times are hundredths of a second.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  const machine = readFileSync("/proc/stat", "utf8").split("\n", 1)[0].split(/\s+/);
  const open = {};
  // A histogram is among them while it is off.
  for (const kind of process.getActiveResourcesInfo())
    if (kind !== "IntervalHistogram" && kind !== "Immediate") open[kind] = (open[kind] ?? 0) + 1;
  return {
    seconds: (user + system) / 1e6,
    childSeconds: (Number(fields[13]) + Number(fields[14])) / 100,
    machineIdleSeconds: (Number(machine[4]) + Number(machine[5])) / 100,
    open,
    at: performance.now(),
  };
}
