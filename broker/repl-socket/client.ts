import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Transporters } from "moleculer";
import { withSocketAddress } from "./address.ts";
import { onPacket, writePacket } from "./packets.ts";
import { registryOf } from "../moleculer/internals.ts";

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
