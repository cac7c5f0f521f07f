import { connect, createServer, type Socket } from "node:net";

/**
 * A load balancer's address for those who have one only, the providers with their webhooks: each connection goes to the
 * first port, in turns, that takes it.
 */
export async function startFront(port: number, targets: readonly number[]): Promise<{ close(): void }> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("close", () => sockets.delete(socket));
  };
  const join = (client: Socket, left: readonly number[]): void => {
    const [target, ...otherPorts] = left;
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = keep(connect(target, "127.0.0.1"));
    upstream.once("connect", () => {
      upstream
        .removeAllListeners("error")
        .on("error", () => client.destroy())
        .on("close", () => client.destroy());
      client.on("close", () => upstream.destroy());
      client.pipe(upstream).pipe(client);
    });
    upstream.once("error", () => join(client, otherPorts));
  };
  const server = createServer((client) => {
    keep(client).on("error", () => client.destroy());
    const first = turn++ % targets.length;
    join(client, [...targets.slice(first), ...targets.slice(0, first)]);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
