import type { BrokerOptions } from "moleculer";
import type { Settings } from "./settings.ts";

/** Structured logs: a JSON line each on standard output, with node, service and (where there is one) request id. */
export function loggerOptions(settings: Pick<Settings, "logLevel">): BrokerOptions["logger"] {
  return {
    type: "Pino",
    options: {
      level: settings.logLevel,
      pino: {
        options: {
          base: undefined,
          timestamp: () => `,"time":"${new Date().toISOString()}"`,
          formatters: { level: (label: string) => ({ level: label }) },
        },
      },
    },
  };
}
