import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { eventually } from "./eventually.ts";
import { freePorts } from "./ports.ts";

export interface TcpProxy {
  /** The target's URL with the proxy's address in it. */
  url: string;
  /** As when the server is gone: connections end, new ones are refused. */
  cut(): Promise<void>;
  /** As when the server hangs: connections are taken, and nothing is answered. */
  freeze(): void;
  /**
   * The server takes the next requests that begin so (`anywhere`: that have this in them) and does as they say, and the
   * connection ends before its answer comes; with `andThenAll` the answers to all later requests are lost as well.
   */
  loseAnswersTo(text: string, times: number, options?: { anywhere?: boolean; andThenAll?: boolean }): void;
  /** The server is back. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a client and a real server, to take the server away. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const noLosses = { text: "", left: 0, anywhere: false, andThenAll: false };
  let losses = noLosses;
  const isLost = (chunk: Buffer): boolean => {
    const at = losses.left === 0 ? -1 : chunk.indexOf(losses.text);
    if (at === -1 || (at > 0 && !losses.anywhere)) return false;
    losses = losses.andThenAll ? { ...losses, text: "" } : { ...losses, left: losses.left - 1 };
    return true;
  };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const server: Server = createServer((client) => {
    keep(client);
    const upstream = connect(Number(port), hostname);
    keep(upstream);
    let losesNext = false;
    client
      .on("data", (chunk: Buffer) => {
        losesNext ||= isLost(chunk);
        if (!isFrozen) upstream.write(chunk);
      })
      .on("close", () => upstream.destroy());
    upstream
      .on("data", (chunk: Buffer) => {
        if (losesNext) client.destroy();
        else if (!isFrozen) client.write(chunk);
      })
      .on("close", () => client.destroy());
  });
  const listen = async (at: number): Promise<number> => {
    await once(server.listen(at, "127.0.0.1"), "listening");
    return at;
  };
  // Not one that the kernel picks: while it is cut, an outgoing connection could take that. Another proxy may be given
  // the same at the same time.
  const ownPort = await eventually(async () => listen(await freePorts(1)));
  const url = new URL(target);
  url.port = String(ownPort);
  const cut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    cut,
    freeze: () => {
      isFrozen = true;
    },
    loseAnswersTo: (text, times, options) => {
      losses = { ...noLosses, text, left: times, ...options };
    },
    restore: async () => {
      isFrozen = false;
      losses = noLosses;
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen(ownPort);
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}
