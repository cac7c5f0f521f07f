import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket, connect } from "node:net";
import { Readable } from "node:stream";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { type ServiceBroker, Transporters } from "moleculer";
import { CodedError } from "@partline/toolkit";
import { getInternals, getRegistry } from "./internals.ts";

const NAME = "repl.sock";
/** Longest address of a socket, bytes (Linux takes 107). */
const LONGEST_BYTES = 103;

function getReplSocketPath(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * Runs `use`, which binds or connects synchronously, with a socket address that fits the system's limit. Linux's name
 * for an open directory shortens a long path.
 */
export function withSocketAddress<T>(dataDir: string, use: (address: string) => T): T {
  const path = getReplSocketPath(dataDir);
  if (Buffer.byteLength(path) <= LONGEST_BYTES || process.platform !== "linux") return use(path);
  const directory = openSync(dataDir, "r");
  try {
    return use(join(`/proc/self/fd/${directory}`, NAME));
  } finally {
    closeSync(directory);
  }
}

const [SPACE, NEWLINE] = [0x20, 0x0a];

/** Writes a packet as a line: type and payload, JSON without a newline. */
function writePacket(socket: Socket, type: string, payload: Buffer): void {
  if (socket.writable) socket.write(Buffer.concat([Buffer.from(`${type} `), payload, Buffer.from([NEWLINE])]));
}

function onPacket(socket: Socket, listener: (type: string, payload: Buffer) => void): void {
  let chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...chunks, rest.subarray(0, end)]);
      chunks = [];
      rest = rest.subarray(end + 1);
      const space = line.indexOf(SPACE);
      listener(line.toString("latin1", 0, space), line.subarray(space + 1));
    }
    chunks.push(rest);
  });
}

/** Connects to the process with this DATA_DIR; undefined if none listens. @throws if this user may not connect */
export async function connectToProcess(dataDir: string): Promise<Socket | undefined> {
  try {
    const socket = withSocketAddress(dataDir, (path) => connect({ path }));
    await once(socket, "connect");
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ECONNREFUSED: the process that made the socket was killed.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ECONNREFUSED") return undefined;
    throw error;
  }
}

/** Joins a broker to a process over its socket: node, services, actions and events are known as over NATS. */
export class SocketTransporter extends Transporters.Base {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
  }

  override connect(): Promise<void> {
    // The socket's end replaces heartbeats.
    getRegistry(this.broker).discoverer.disableHeartbeat();
    onPacket(this.#socket, (type, payload) => void this.receive(type, payload));
    return this.onConnected() as Promise<void>;
  }

  override disconnect(): Promise<void> {
    this.connected = false;
    this.#socket.end();
    return Promise.resolve();
  }

  override send(_topic: string, payload: Buffer, { packet }: { packet: { type: string } }): Promise<void> {
    writePacket(this.#socket, packet.type, payload);
    return Promise.resolve();
  }

  /** All packets of the process are for this node. */
  override subscribe = (): Promise<void> => Promise.resolve();
  override subscribeBalancedRequest = this.subscribe;
  override subscribeBalancedEvent = this.subscribe;
}

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

/**
 * Answers REPLs' discovery, calls and events on a socket in DATA_DIR, private to this user.
 * @returns ends the socket and its connections
 */
export async function listenForRepls(broker: ServiceBroker, dataDir: string): Promise<() => Promise<void>> {
  const path = getReplSocketPath(dataDir);
  const otherProcess = await connectToProcess(dataDir);
  otherProcess?.destroy();
  if (otherProcess) throw new Error(`Another process listens on ${path}`);
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
    // Not `end`: a suspended REPL never closes its side, and the process would wait.
    for (const socket of connections) socket.destroy();
    await closed;
    await rm(path, { force: true });
  };
}

function serve(broker: ServiceBroker, socket: Socket): void {
  const { PROTOCOL_VERSION: ver, serializer, registry, errorRegenerator } = getInternals(broker);
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
      broker.logger.warn("A REPL's message cannot be answered: its connection is closed", error);
      socket.destroy();
    });
  });
}

async function answer(broker: ServiceBroker, request: Omit<Packet, "id">): Promise<unknown> {
  const { action, params, meta, timeout, requestID, stream } = request;
  if (stream) throw new CodedError("VALIDATION_FAILED", "The REPL's socket takes no streams: send the file over HTTP");
  const result = await broker.call<unknown, object>(action, params, { meta, timeout, requestID });
  if (!(result instanceof Readable)) return result;
  result.destroy();
  throw new CodedError("VALIDATION_FAILED", "The REPL's socket takes no streams: fetch the file over HTTP");
}
