import { createWriteStream, readFileSync } from "node:fs";
import { once } from "node:events";
import { childrenOf } from "../../../../../test/support/children.ts";
import type { Member } from "../cluster/member.ts";

export interface Sample {
  /** Minutes since sampling began. */
  minute: number;
  member: string;
  residentMb: number;
  /** Of the processes that it has started for pages and pictures, and that end when there is nothing to do. */
  childrenMb: number;
}

const EVERY_MS = 10_000;

/** Looks at the memory of each process, and of those that it has started, until it is stopped. */
export function startSampling(members: readonly Member[], file: string): { stop(): Promise<Sample[]> } {
  const beganAt = Date.now();
  const samples: Sample[] = [];
  const stream = createWriteStream(file);
  const look = (): void => {
    for (const { name, pid } of members) {
      const residentMb = pid === undefined ? undefined : readResidentMb(pid);
      if (pid === undefined || residentMb === undefined) continue;
      const childrenMb = childrenOf(pid).reduce((sum, child) => sum + child.residentMb, 0);
      const sample = { minute: (Date.now() - beganAt) / 60_000, member: name, residentMb, childrenMb };
      samples.push(sample);
      stream.write(`${JSON.stringify(sample)}\n`);
    }
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      look();
      stream.end();
      await once(stream, "finish");
      return samples;
    },
  };
}

function readResidentMb(pid: number): number | undefined {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1_024;
  } catch {
    return undefined;
  }
}
