import type { Server, Socket } from "node:net";

/** Maximum number of connections of all servers of a process. */
const MOST_CONNECTIONS = 2_000;

/**
 * Files and sockets kept for the work: an idle system has about 90 open; images, manuals, stores and providers need
 * more.
 */
const KEPT_FOR_WORK = 192;

/** Connections that each server always takes: a flood of one port leaves the others' health reachable. */
const ALWAYS_TAKEN = 2;

const TELL_EVERY_MS = 60_000;

/** Open files that a process should be allowed (`ulimit -n`). */
export const NEEDED_OPEN_FILES = MOST_CONNECTIONS + KEPT_FOR_WORK;

let openFiles: number | undefined;

/** Files and sockets that this process may open; Infinity if the system has no limit. */
export function openFilesLimit(): number {
  return (openFiles ??= readOpenFilesLimit());
}

function readOpenFilesLimit(): number {
  // Otherwise the names of the machine's addresses would be looked up.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: number | "unlimited" } } };
  return Number(userLimits?.open_files.soft) || Infinity;
}

/** Connections of all servers of a process with this limit of open files. */
export function computeMostConnections(limit: number): number {
  return Math.max(0, Math.min(MOST_CONNECTIONS, limit - KEPT_FOR_WORK));
}

/** Counts the connections of several servers against one bound. */
export function createConnectionBound(most: () => number): (server: Server, tell?: (message: string) => void) => void {
  let openInProcess = 0;
  return (server, tell) => {
    let openOnServer = 0;
    let toldAt = -Infinity;
    const tellSeldom = (message: string): void => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      tell?.(message);
    };
    // Files can run out all the same. An error without a listener would end the process.
    server.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (server.listening) tellSeldom(`A connection could not be accepted: ${code ?? "error"}`);
    });
    // Before the server's own listener, which would parse what comes.
    server.prependListener("connection", (socket: Socket) => {
      if (openInProcess >= most() && openOnServer >= ALWAYS_TAKEN) {
        socket.destroy();
        tellSeldom(`A connection was refused: the process has ${openInProcess} open, and takes no more than ${most()}`);
        return;
      }
      openInProcess += 1;
      openOnServer += 1;
      socket.once("close", () => {
        openInProcess -= 1;
        openOnServer -= 1;
      });
    });
  };
}

/** Bounds the connections of this process's servers together. A connection too many is closed at once. */
export const boundConnections = createConnectionBound(() => computeMostConnections(openFilesLimit()));
