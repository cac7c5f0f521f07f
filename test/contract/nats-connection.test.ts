import { expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { createLoggerOptions } from "@partline/moleculer-kit";
import { createBrokerOptions } from "../../broker/options.ts";
import { eventually } from "../support/eventually.ts";
import { NATS_SERVER, startOwnNats } from "../support/nats-server.ts";
import { testSettings } from "../support/test-settings.ts";

type Line = Record<string, unknown> & { msg: string };
const usersOf = (password: string): string => `authorization { users: [{ user: partline, password: ${password} }] }`;

(NATS_SERVER ? test : test.skip)(
  "a password that NATS does not take any more is logged once, and so is that it takes it again",
  async () => {
    const nats = await startOwnNats({ configuration: usersOf("right"), jetStream: false });
    const { lines, broker } = brokerAt(nats.url.replace("://", "://partline:right@"));
    const told = (message: string): Line[] => lines.filter(({ msg }) => msg === message);
    try {
      await broker.start();
      expect(told("NATS refuses")).toEqual([]);
      nats.configure(usersOf("another"));
      await eventually(() => told("NATS refuses").length > 0, 30_000);
      nats.configure(usersOf("right"));
      await eventually(() => told("NATS lets this process in again").length > 0, 30_000);
      expect(told("NATS refuses")).toMatchObject([{ level: "error", reason: "AUTHORIZATION_VIOLATION" }]);
      expect(JSON.stringify(lines)).not.toContain("right");
    } finally {
      await broker.stop();
      await nats.stop();
    }
  },
  90_000,
);

(NATS_SERVER ? test : test.skip)(
  "what keeps a broker from NATS before it has started is logged",
  async () => {
    const nats = await startOwnNats({ configuration: usersOf("right"), jetStream: false });
    const { lines, broker } = brokerAt(nats.url.replace("://", "://partline:hunter2@"));
    const starting = broker.start();
    try {
      await eventually(() => lines.some(({ msg }) => msg === "Connection is failed."), 30_000);
      expect(lines.filter(({ msg }) => /^NATS error|^Connection is failed/.test(msg))).toMatchObject([
        { reason: "'Authorization Violation'" },
        { reason: "'Authorization Violation'" },
      ]);
      expect(JSON.stringify(lines)).not.toContain("hunter2");
      nats.configure(usersOf("hunter2"));
      await starting;
    } finally {
      await broker.stop();
      await nats.stop();
    }
  },
  90_000,
);

/** A broker as the product has it, but that its lines are kept. */
function brokerAt(natsUrl: string): { lines: Line[]; broker: ServiceBroker } {
  const lines: Line[] = [];
  const settings = testSettings({ NATS_URL: natsUrl, LOG_LEVEL: "info" });
  const logger = createLoggerOptions(settings, { write: (line) => void lines.push(JSON.parse(line) as Line) });
  return { lines, broker: new ServiceBroker({ ...createBrokerOptions(settings), logger }) };
}
