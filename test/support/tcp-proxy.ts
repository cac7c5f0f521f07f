import { connect, createServer, type Server, type Socket } from "node:net";

export interface TcpProxy {
  /** The target's URL with the proxy's address in it. */
  url: string;
  /** As when the server is gone: connections end, new ones are refused. */
  cut(): Promise<void>;
  /** As when the server hangs: connections are taken, and nothing is answered. */
  freeze(): void;
  /** The server is back. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a client and a real server, to take the server away. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const server: Server = createServer((client) => {
    keep(client);
    const upstream = connect(Number(port), hostname);
    keep(upstream);
    client.on("data", (chunk) => void (isFrozen || upstream.write(chunk))).on("close", () => upstream.destroy());
    upstream.on("data", (chunk) => void (isFrozen || client.write(chunk))).on("close", () => client.destroy());
  });
  const listen = (at: number): Promise<void> => new Promise((resolve) => server.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address() as { port: number };
  const url = new URL(target);
  url.port = String(address.port);
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
    restore: async () => {
      isFrozen = false;
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen(address.port);
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}
