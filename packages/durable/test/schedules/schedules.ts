/**
 * Runs the tasks, channels and leases of `durable` under seeded schedules: a world in one thread whose clock, order of
 * events, lost requests and answers, stalls, deaths and skewed clocks the seed decides. A seed that fails is printed
 * with its scenario, and fails again. `npm run schedules [-- COUNT [FIRST [SCENARIO]]]`, 10,000 from 1 unless given.
 */
import { runChannelsSchedule } from "./channels.schedule.ts";
import { runLeasesSchedule } from "./leases.schedule.ts";
import { runTasksSchedule } from "./tasks.schedule.ts";

const SCENARIOS = { tasks: runTasksSchedule, channels: runChannelsSchedule, leases: runLeasesSchedule };
type Scenario = keyof typeof SCENARIOS;

const count = Number(process.argv[2] ?? 10_000);
const first = Number(process.argv[3] ?? 1);
const only = process.argv[4];
const names = (Object.keys(SCENARIOS) as Scenario[]).filter((name) => only === undefined || name === only);
const failures: string[] = [];
const startedAt = Date.now();
for (let seed = first; seed < first + count; seed += 1) {
  const name = names[seed % names.length]!;
  try {
    await SCENARIOS[name](seed);
  } catch (error) {
    failures.push(`${name}, seed ${seed}: ${(error as Error).message}`);
    console.log(`${failures.at(-1)}\n  again by: npm run schedules -- 1 ${seed} ${name}`);
    if (count === 1) console.log((error as Error).stack);
  }
}
const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
console.log(`${count} schedules from seed ${first}: ${failures.length} failed, ${seconds} s`);
if (failures.length > 0) process.exitCode = 1;
