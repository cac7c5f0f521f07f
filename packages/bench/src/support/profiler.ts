/** A report of V8's sampling profiler about a stretch of time. */
export interface Profile {
  nodes: { id: number; callFrame: CallFrame }[];
  /** The node that ran at each sample. */
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

export interface CallFrame {
  /**
   * `(idle)`, `(program)` and `(garbage collector)` are V8's own; `(program)` is native code that no JavaScript called.
   */
  functionName: string;
  url: string;
  /** From 0. */
  lineNumber: number;
}

/** Lets `listProfilers` in. */
export const PROFILED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const EVERY_MICROSECONDS = 200;

/** The main thread of a process that was started with PROFILED. */
export interface Profiler {
  /** The services that it runs (SERVICES). */
  services: string;
  begin(): Promise<void>;
  end(): Promise<Profile>;
  /** A process does not end while anybody is connected. */
  close(): void;
}

/**
 * One for each process of a system. @param output what they printed: on their standard error they say where they listen
 */
export async function listProfilers(output: string): Promise<Profiler[]> {
  const profilers = await Promise.all(
    [...output.matchAll(/^Debugger listening on (ws:\S+)$/gm)].map(([, url]) => profilerAt(url!)),
  );
  return profilers.filter((profiler) => profiler !== undefined);
}

/** Undefined for what a process of the system has started beside it. */
async function profilerAt(url: string): Promise<Profiler | undefined> {
  const { send, close } = await connect(url);
  const evaluate = async (expression: string): Promise<string> =>
    ((await send("Runtime.evaluate", { expression })) as { result: { value: string } }).result.value;
  if (!(await evaluate("String(process.argv[1])")).endsWith("bin/start.ts")) {
    close();
    return;
  }
  await send("Profiler.enable");
  await send("Profiler.setSamplingInterval", { interval: EVERY_MICROSECONDS });
  return {
    services: await evaluate("String(process.env.SERVICES)"),
    begin: async () => void (await send("Profiler.start")),
    end: async () => ((await send("Profiler.stop")) as { profile: Profile }).profile,
    close,
  };
}

interface Connection {
  send(method: string, params?: object): Promise<unknown>;
  close(): void;
}

async function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error(`Nobody answers at ${url}`)));
  });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  socket.addEventListener("message", ({ data }: MessageEvent) => {
    const { id, result, error } = JSON.parse(String(data)) as {
      id?: number;
      result?: unknown;
      error?: { message: string };
    };
    const request = id === undefined ? undefined : waiting.get(id);
    if (id !== undefined) waiting.delete(id);
    if (error) request?.reject(new Error(error.message));
    else request?.resolve(result);
  });
  let lastId = 0;
  const send: Connection["send"] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      waiting.set((lastId += 1), { resolve, reject });
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  return { send, close: () => socket.close() };
}
