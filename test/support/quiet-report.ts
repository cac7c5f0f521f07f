import type { ChannelsReport } from "../../packages/durable/src/channels/report.ts";

/** Channels that report nothing that went wrong: the tests look at what came of it. */
export const quietReport: ChannelsReport = {
  onFailed: () => undefined,
  stuck: () => undefined,
  onOtherStream: () => undefined,
  onUnreadable: () => undefined,
  unsigned: () => undefined,
};
