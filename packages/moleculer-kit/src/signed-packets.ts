import { randomBytes } from "node:crypto";
import type { Middleware, ServiceBroker } from "moleculer";
import { createThrottledWarning } from "./logging.ts";
import { toMiddleware } from "./internals.ts";
import { type ClusterSecret, MAC_BYTES } from "@partline/durable";

/** No JSON begins with it. */
const MARK = 1;
/** Mark, whether it is for one node, time, process, and number in that process. */
const HEAD_BYTES = 1 + 1 + 6 + 4 + 6;
const FRAME_BYTES = HEAD_BYTES + MAC_BYTES;
/** A packet that is older or younger is refused. Clocks that are seconds apart are warned of (admission.ts). */
const LONGEST_WAY_MS = 120_000;
/** Packets of one process that may overtake each other. NATS keeps their order. */
const RECENT = 4_096;

interface Packet {
  type: string;
  target: string | null;
}

type Send = (topic: string, data: Buffer, meta: { packet: Packet }) => Promise<unknown>;
type Receive = (command: string, data: Buffer, more: unknown) => unknown;

type Refusal = "unsigned" | "of another secret or changed" | "late, or of a clock that is wrong" | "a repetition";

/**
 * Signs all that nodes send each other, and drops what no node of this system has signed: nobody else calls actions,
 * answers calls, offers services or sends events, as any caller. The signature covers the command, the node that
 * it is for and the time; each packet is taken once.
 */
export function createSignedPacketsMiddleware(secret: ClusterSecret): Middleware {
  const instance = randomBytes(4);
  const isRepeated = createReplayGuard();
  let sentCount = 0;
  let nodeID = "";
  let report: (error: unknown) => void = () => undefined;

  const signFrame = (sign: NonNullable<ClusterSecret["sign"]>, { type, target }: Packet, data: Buffer): Buffer => {
    const framed = Buffer.allocUnsafe(FRAME_BYTES + data.length);
    framed[0] = MARK;
    framed[1] = target ? 1 : 0;
    framed.writeUIntBE(Date.now(), 2, 6);
    instance.copy(framed, 8);
    framed.writeUIntBE((sentCount += 1), 12, 6);
    sign(framed.subarray(0, HEAD_BYTES), `${type} ${target ?? ""}\0`, data).copy(framed, HEAD_BYTES);
    data.copy(framed, FRAME_BYTES);
    return framed;
  };

  const findRefusal = (command: string, framed: Buffer): Refusal | undefined => {
    if (framed[0] !== MARK) return secret.acceptsUnsigned ? undefined : "unsigned";
    const head = framed.subarray(0, HEAD_BYTES);
    const mac = framed.subarray(HEAD_BYTES, FRAME_BYTES);
    const target = framed[1] === 1 ? nodeID : "";
    if (!secret.isValid(mac, head, `${command} ${target}\0`, framed.subarray(FRAME_BYTES)))
      return "of another secret or changed";
    if (Math.abs(Date.now() - framed.readUIntBE(2, 6)) > LONGEST_WAY_MS) return "late, or of a clock that is wrong";
    return isRepeated(framed.readUInt32BE(8), framed.readUIntBE(12, 6)) ? "a repetition" : undefined;
  };

  return toMiddleware({
    name: "SignedPackets",
    created: (broker: ServiceBroker) => {
      nodeID = broker.nodeID;
      report = createThrottledWarning(
        broker.getLogger("nats"),
        "A packet of NATS is dropped: a node has another CLUSTER_SECRET, or somebody else is there",
      );
    },
    transporterSend:
      (next: Send): Send =>
      (topic, data, meta) =>
        next(topic, secret.sign ? signFrame(secret.sign, meta.packet, data) : data, meta),
    transporterReceive:
      (next: Receive): Receive =>
      (command, data, more) => {
        const refusal = findRefusal(command, data);
        if (!refusal) return next(command, data[0] === MARK ? data.subarray(FRAME_BYTES) : data, more);
        report(new Error(`It is ${refusal} (${command})`));
        return undefined;
      },
  });
}

/**
 * Returns whether a packet of a process has come before, or so long before that nobody knows. The numbers of a process
 * that has been silent for long are forgotten: its packets are too old by then.
 */
export function createReplayGuard(now: () => number = Date.now): (process: number, number: number) => boolean {
  const processes = new Map<number, { numbers: Float64Array; heardAt: number }>();
  const begin = (process: number) => {
    for (const [otherProcess, { heardAt }] of processes)
      if (now() - heardAt > 2 * LONGEST_WAY_MS) processes.delete(otherProcess);
    const window = { numbers: new Float64Array(RECENT), heardAt: 0 };
    processes.set(process, window);
    return window;
  };
  return (process, number) => {
    const recent = processes.get(process) ?? begin(process);
    recent.heardAt = now();
    const place = number % RECENT;
    if (recent.numbers[place]! >= number) return true;
    recent.numbers[place] = number;
    return false;
  };
}
