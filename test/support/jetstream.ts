import { connect, type JetStreamManager, type NatsConnection } from "nats";
import { createNames } from "../../packages/durable/src/channels/jetstream/names.ts";
import type { ChannelsReport, FailedDelivery } from "../../packages/durable/src/channels/report.ts";
import { eventually } from "./eventually.ts";

/** Another name for each test: streams of different namespaces do not meet. */
export function testNamespace(): string {
  return `test-${process.pid}-${Date.now()}-${Math.floor(Math.random() * 1e6)}`;
}

/** A cluster that has lost a node chooses a leader first, and answers nothing until then. */
export function managerOf(nc: NatsConnection): Promise<JetStreamManager> {
  return eventually(() => nc.jetstreamManager(), 30_000);
}

/** Removes what a test's channels left on a server. */
export async function removeStreams(servers: string, namespace: string): Promise<void> {
  const nc = await connect({ servers: servers.split(",") });
  const jsm = await managerOf(nc);
  await jsm.streams.delete(createNames(namespace).events).catch(() => false);
  await nc.close();
}

/** Keeps what channels report. */
export function keptReport(): ChannelsReport & {
  forgeries: unknown[];
  failures: FailedDelivery[];
  troubles: unknown[];
  otherStreams: string[];
  strangers: unknown[];
} {
  const failures: FailedDelivery[] = [];
  const troubles: unknown[] = [];
  const otherStreams: string[] = [];
  const strangers: unknown[] = [];
  const forgeries: unknown[] = [];
  return {
    forgeries,
    unsigned: (error) => void forgeries.push(error),
    failures,
    troubles,
    otherStreams,
    strangers,
    onUnreadable: (message) => void strangers.push(message),
    onFailed: (delivery) => void failures.push(delivery),
    stuck: (error) => void troubles.push(error),
    onOtherStream: (name) => void otherStreams.push(name),
  };
}
