import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names for files that live as long as a piece of work. */
export interface WorkFiles {
  /** Runs the work with as many paths as it takes; what it wrote there is removed after it. */
  use<T>(work: (path: () => string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function workFiles(): WorkFiles {
  let directory: Promise<string> | undefined;
  return {
    use: async (work) => {
      const inside = await (directory ??= mkdtemp(join(tmpdir(), "partline-media-")));
      const paths: string[] = [];
      const path = (): string => {
        paths.push(join(inside, randomUUID()));
        return paths.at(-1)!;
      };
      try {
        return await work(path);
      } finally {
        await Promise.all(paths.map((used) => rm(used, { force: true })));
      }
    },
    close: async () => {
      if (directory) await rm(await directory, { recursive: true, force: true });
    },
  };
}
