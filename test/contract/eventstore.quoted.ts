import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

/** What the desk quotes, in a file: it outlives a process, as the passage index does. */
export function quotedIn(dataDir: string): Record<string, string> {
  const file = join(dataDir, "quoted.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {};
}

/**
 * The event store over a directory, beside such a desk.
 * @param dies the process is killed when the desk is asked for a change
 */
export function startEventstore(dataDir: string, { dies = false } = {}): Promise<TestBroker> {
  const keep = (quoted: Record<string, string>): void =>
    writeFileSync(join(dataDir, "quoted.json"), JSON.stringify(quoted));
  const ai = (): ServiceSchema => ({
    name: "ai",
    actions: {
      learnDocument({ params }) {
        if (dies) process.kill(process.pid, "SIGKILL");
        const { id, content } = params as { id: string; content: string };
        keep({ ...quotedIn(dataDir), [id]: content });
        return {};
      },
      forgetDocument({ params }) {
        if (dies) process.kill(process.pid, "SIGKILL");
        const { [(params as { id: string }).id]: _, ...others } = quotedIn(dataDir);
        keep(others);
        return {};
      },
    },
  });
  const settings = testSettings({
    DATA_DIR: dataDir,
    EMBEDDINGS_BASE_URL: "http://127.0.0.1:9/v1",
    EMBEDDINGS_MODEL: "sentences-1",
  });
  return startTestBroker({ services: ["eventstore", ai], settings });
}
