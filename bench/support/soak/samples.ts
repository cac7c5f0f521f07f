import { createWriteStream, readFileSync } from "node:fs";
import { once } from "node:events";
import type { Member } from "../../../test/support/cluster/member.ts";

export interface Sample {
  /** Minutes since sampling began. */
  minute: number;
  member: string;
  residentMb: number;
}

const EVERY_MS = 10_000;

/** Looks at the memory of each process, without the processes that it has started for pages and pictures, until it is stopped. */
export function startSampling(members: readonly Member[], file: string): { stop(): Promise<Sample[]> } {
  const beganAt = Date.now();
  const samples: Sample[] = [];
  const written = createWriteStream(file);
  const look = (): void => {
    for (const { name, pid } of members) {
      const residentMb = pid === undefined ? undefined : residentMbOf(pid);
      if (residentMb === undefined) continue;
      const sample = { minute: (Date.now() - beganAt) / 60_000, member: name, residentMb };
      samples.push(sample);
      written.write(`${JSON.stringify(sample)}\n`);
    }
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      look();
      written.end();
      await once(written, "finish");
      return samples;
    },
  };
}

function residentMbOf(pid: number): number | undefined {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1_024;
  } catch {
    return undefined;
  }
}
