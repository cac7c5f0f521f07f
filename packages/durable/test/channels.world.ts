import { afterEach, beforeEach } from "@jest/globals";
import { createOutboxWrite } from "../src/channels/outbox.ts";
import type { ChannelEvent, Channels } from "../src/channels/port.ts";
import type { DocumentStore } from "../src/document-store/port.ts";
import type { keptReport } from "../../../test/support/jetstream.ts";

/** What a channel adapter is tested on: `open` gives several members over the same data, each one process's view. */
export interface ChannelsUnderTest {
  documents: DocumentStore;
  /** What its members said. */
  report: ReturnType<typeof keptReport>;
  /** `ackWaitMs` and `keptMs` are the adapter's own unless given. */
  open(options?: { ackWaitMs?: number; keptMs?: (channel: string) => number }): Channels;
  close(): Promise<void>;
}

export interface ChannelsWorld {
  current(): ChannelsUnderTest;
  open: ChannelsUnderTest["open"];
  publish(n: number, eventId?: string, channel?: string): Promise<void>;
}

const outbox = createOutboxWrite<Record<string, { n: number }>>();

/** A fresh world for each test of the block that it is called in; its members are stopped after the test. */
export function useChannels(setUp: () => Promise<ChannelsUnderTest>): ChannelsWorld {
  let world: ChannelsUnderTest;
  let members: Channels[];
  beforeEach(async () => {
    members = [];
    world = await setUp();
  });
  afterEach(async () => {
    await Promise.all(members.map((member) => member.stop()));
    await world.close();
  });
  return {
    current: () => world,
    open: (options) => {
      const member = world.open(options);
      members.push(member);
      return member;
    },
    publish: async (n, eventId, channel = "test.happened") => {
      await world.documents.atomically([outbox(channel, { n }, eventId)]);
      for (const member of members) member.wake();
    },
  };
}

/** Keeps the events that a handler is given. */
export function collector() {
  const seen: ChannelEvent[] = [];
  return {
    seen,
    handler: async (event: ChannelEvent): Promise<void> => void seen.push(event),
    numbers: () => seen.map((event) => event.payload.n as number).sort((a, b) => a - b),
  };
}
