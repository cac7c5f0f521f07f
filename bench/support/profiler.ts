/** What V8's sampling profiler tells of a stretch of time. */
export interface Profile {
  nodes: { id: number; callFrame: CallFrame }[];
  /** The node that ran at each sample. */
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

export interface CallFrame {
  /** `(idle)`, `(program)` and `(garbage collector)` are V8's own; `(program)` is native code that no JavaScript called. */
  functionName: string;
  url: string;
  /** From 0. */
  lineNumber: number;
}

const EVERY_MICROSECONDS = 200;

/** Where a process that runs with `--inspect` listens, as it says on its standard error. */
export function inspectorOf(output: string): string {
  const found = /^Debugger listening on (ws:\S+)$/m.exec(output);
  if (!found) throw new Error("The process does not run with --inspect");
  return found[1]!;
}

/** The profile of a process's main thread while something is done. @param inspector see `inspectorOf` */
export async function profileWhile(inspector: string, work: () => Promise<unknown>): Promise<Profile> {
  const socket = new WebSocket(inspector);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error(`Nobody answers at ${inspector}`)));
  });
  let sent = 0;
  const send = (method: string, params: object = {}): Promise<unknown> => new Promise((resolve, reject) => {
    const id = (sent += 1);
    socket.addEventListener("message", function answered({ data }: MessageEvent) {
      const message = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: { message: string } };
      if (message.id !== id) return;
      socket.removeEventListener("message", answered);
      if (message.error) reject(new Error(`${method}: ${message.error.message}`));
      else resolve(message.result);
    });
    socket.send(JSON.stringify({ id, method, params }));
  });
  try {
    await send("Profiler.enable");
    await send("Profiler.setSamplingInterval", { interval: EVERY_MICROSECONDS });
    await send("Profiler.start");
    await work();
    return ((await send("Profiler.stop")) as { profile: Profile }).profile;
  } finally {
    socket.close();
  }
}
