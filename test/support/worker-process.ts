import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface WorkerProcess<Wish> {
  /** One wish at a time. Fails when the process dies before it answers. */
  ask<T>(wish: Wish): Promise<T>;
  /** Resolves with the signal that ended it. */
  ended: Promise<string | null>;
  kill(): Promise<unknown>;
}

/**
 * A script in a process of its own, which answers each message with `{ result }` or `{ error }`, the first when it is
 * ready.
 * @param processor the only one that it and what it starts may use, from 0; Linux alone
 */
export async function startWorkerProcess<Wish extends object>(
  file: string,
  args: string[],
  processor?: number,
): Promise<WorkerProcess<Wish>> {
  const flags = ["--disable-warning=ExperimentalWarning"];
  const kept =
    processor === undefined
      ? { execArgv: flags }
      : { execPath: "taskset", execArgv: ["-c", String(processor), process.execPath, ...flags] };
  const child: ChildProcess = fork(file, args, { ...kept, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit").then(([, signal]) => signal as string | null);
  const answer = async () => {
    const [message] = (await Promise.race([once(child, "message"), ended.then(() => [{ error: "It died" }])])) as [
      { result?: unknown; error?: string },
    ];
    if (message.error !== undefined) throw new Error(message.error);
    return message.result;
  };
  await answer();
  return {
    ask: <T>(wish: Wish) => {
      child.send(wish, () => undefined);
      return answer() as Promise<T>;
    },
    ended,
    kill: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}
