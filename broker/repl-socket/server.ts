import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { ServiceBroker } from "moleculer";
import { PartlineError } from "../../mixins/errors.ts";
import { replSocketPath, withSocketAddress, onPacket, writePacket, connectToProcess } from "./client.ts";
import { internalsOf } from "../moleculer/internals.ts";

/** A request, an event or a discovery of a REPL. */
interface Packet {
  id: string;
  time: number;
  action: string;
  params: object;
  meta: object;
  timeout?: number;
  requestID?: string;
  stream?: boolean;
  event: string;
  data: object;
  groups?: string[];
  broadcast: boolean;
}

/** Answers REPLs' discovery, calls and events on a socket in DATA_DIR, private to this user. @returns ends it */
export async function listenForRepls(broker: ServiceBroker, dataDir: string): Promise<() => Promise<void>> {
  const path = replSocketPath(dataDir);
  const other = await connectToProcess(dataDir);
  other?.destroy();
  if (other) throw new Error(`Another process listens on ${path}`);
  await rm(path, { force: true });
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on("error", () => undefined).once("close", () => connections.delete(socket));
    serve(broker, socket);
  });
  withSocketAddress(dataDir, (address) => server.listen(address));
  await once(server, "listening");
  // A connection that cannot be accepted (EMFILE) concerns its REPL alone.
  server.on("error", () => undefined);
  await chmod(path, 0o600);
  return async () => {
    const closed = once(server, "close");
    server.close();
    // A suspended REPL never closes its side.
    for (const socket of connections) socket.destroy();
    await closed;
    await rm(path, { force: true });
  };
}

function serve(broker: ServiceBroker, socket: Socket): void {
  const { PROTOCOL_VERSION: ver, serializer, registry, errorRegenerator } = internalsOf(broker);
  const send = (type: string, payload: object): void =>
    writePacket(socket, type, serializer.serialize({ ...payload, ver, sender: broker.nodeID }));
  const answers: Record<string, (packet: Packet) => Promise<void> | void> = {
    DISCOVER: () => send("INFO", registry.getLocalNodeInfo()),
    PING: ({ id, time }) => send("PONG", { id, time, arrived: Date.now() }),
    EVENT: ({ event, data, meta, groups, broadcast }) =>
      broker[broadcast ? "broadcast" : "emit"](event, data, { meta, groups }),
    REQ: async ({ id, ...request }) => {
      const outcome = await answer(broker, request).then(
        (data) => ({ success: true, data }),
        (error: unknown) => ({ success: false, data: null, error: errorRegenerator.extractPlainError(error) }),
      );
      send("RES", { id, meta: {}, ...outcome });
    },
  };
  const take = async (type: string, payload: Buffer): Promise<void> => {
    await answers[type]?.(serializer.deserialize(payload) as Packet);
  };
  onPacket(socket, (type, payload) => {
    take(type, payload).catch((error: unknown) => {
      broker.logger.warn("What a REPL sent cannot be answered: its connection is closed", error);
      socket.destroy();
    });
  });
}

async function answer(broker: ServiceBroker, request: Omit<Packet, "id">): Promise<unknown> {
  const { action, params, meta, timeout, requestID, stream } = request;
  if (stream)
    throw new PartlineError("VALIDATION_FAILED", "The REPL's socket takes no streams: send the file over HTTP");
  const result = await broker.call<unknown, object>(action, params, { meta, timeout, requestID });
  if (!(result instanceof Readable)) return result;
  result.destroy();
  throw new PartlineError("VALIDATION_FAILED", "The REPL's socket takes no streams: fetch the file over HTTP");
}
