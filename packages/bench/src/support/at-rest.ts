import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../../../test/support/eventually.ts";
import { ADMIN_TOKEN } from "../../../../test/support/system.ts";

/** Share of a processor that the periodic work of a system takes, and the seconds that it must take no more. */
const REST = { share: 0.08, seconds: 5 };

/**
 * Resolves when a node has done what its start left it to do: reading manuals, counting events. @param url of an entry
 * point of it, on loopback
 */
export async function untilAtRest(url: string): Promise<void> {
  let restful = 0;
  let valueBefore = await processorSeconds(url);
  await eventually(async () => {
    await sleep(1_000);
    const now = await processorSeconds(url);
    restful = now - valueBefore < REST.share ? restful + 1 : 0;
    valueBefore = now;
    return restful >= REST.seconds;
  }, 180_000);
}

async function processorSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { "x-admin-token": ADMIN_TOKEN } })).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}
