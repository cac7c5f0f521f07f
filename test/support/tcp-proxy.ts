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
   * The server takes the next requests that begin so and does as they say, and the connection ends before its answer comes;
   * with `andThenAll` the answers to all later requests are lost as well.
   */
  loseAnswersTo(beginning: string, times: number, options?: { andThenAll?: boolean }): void;
  /** The server is back. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a client and a real server, to take the server away. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let losses = { beginning: "", left: 0, andThenAll: false };
  const isLost = (chunk: Buffer): boolean => {
    if (losses.left === 0 || !chunk.subarray(0, losses.beginning.length).equals(Buffer.from(losses.beginning))) return false;
    losses = losses.andThenAll ? { ...losses, beginning: "" } : { ...losses, left: losses.left - 1 };
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
    client.on("data", (chunk: Buffer) => {
      losesNext ||= isLost(chunk);
      if (!isFrozen) upstream.write(chunk);
    }).on("close", () => upstream.destroy());
    upstream.on("data", (chunk: Buffer) => {
      if (losesNext) client.destroy();
      else if (!isFrozen) client.write(chunk);
    }).on("close", () => client.destroy());
  });
  const listen = async (at: number): Promise<number> => {
    await once(server.listen(at, "127.0.0.1"), "listening");
    return at;
  };
  // Not one that the kernel picks: while it is cut, an outgoing connection could take that. Another proxy may be given the same at the same time.
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
    loseAnswersTo: (beginning, times, { andThenAll = false } = {}) => {
      losses = { beginning, left: times, andThenAll };
    },
    restore: async () => {
      isFrozen = false;
      losses = { beginning: "", left: 0, andThenAll: false };
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen(ownPort);
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}
