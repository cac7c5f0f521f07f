import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { Transporters } from "moleculer";
import { registryOf } from "../moleculer/internals.ts";

const NAME = "repl.sock";
/** Longest address of a socket, bytes (Linux takes 107). */
const LONGEST_BYTES = 103;

export function replSocketPath(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * Runs `use`, which binds or connects synchronously. Linux's name for an open directory shortens a path beyond the
 * system's limit.
 */
export function withSocketAddress<T>(dataDir: string, use: (address: string) => T): T {
  const path = replSocketPath(dataDir);
  if (Buffer.byteLength(path) <= LONGEST_BYTES || process.platform !== "linux") return use(path);
  const directory = openSync(dataDir, "r");
  try {
    return use(join(`/proc/self/fd/${directory}`, NAME));
  } finally {
    closeSync(directory);
  }
}

const [SPACE, NEWLINE] = [0x20, 0x0a];

/** A line: type and payload, JSON without a newline. */
export function writePacket(socket: Socket, type: string, payload: Buffer): void {
  if (socket.writable) socket.write(Buffer.concat([Buffer.from(`${type} `), payload, Buffer.from([NEWLINE])]));
}

export function onPacket(socket: Socket, listener: (type: string, payload: Buffer) => void): void {
  let kept: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...kept, rest.subarray(0, end)]);
      kept = [];
      rest = rest.subarray(end + 1);
      const space = line.indexOf(SPACE);
      listener(line.toString("latin1", 0, space), line.subarray(space + 1));
    }
    kept.push(rest);
  });
}

/** Undefined if none listens. @throws if this user may not connect */
export async function connectToProcess(dataDir: string): Promise<Socket | undefined> {
  try {
    const socket = withSocketAddress(dataDir, (path) => connect({ path }));
    await once(socket, "connect");
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ECONNREFUSED: its process was killed.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ECONNREFUSED") return undefined;
    throw error;
  }
}

/** Node, services, actions and events are known as over NATS. */
export class SocketTransporter extends Transporters.Base {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
  }

  override connect(): Promise<void> {
    // The socket's end replaces heartbeats.
    registryOf(this.broker).discoverer.disableHeartbeat();
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
