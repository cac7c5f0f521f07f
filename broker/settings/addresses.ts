import { ENTRY_POINTS, ENTRY_PORTS, type EntryPoint } from "../contract/define.ts";
import type { SettingsReader } from "./reader.ts";

interface Listening {
  host: string;
  ports: Record<EntryPoint, number>;
}

export function readPorts(reader: SettingsReader): Record<EntryPoint, number> {
  return Object.fromEntries(
    ENTRY_POINTS.map((entry) => [entry, reader.getPort(toPortSetting(entry), ENTRY_PORTS[entry])]),
  ) as Record<EntryPoint, number>;
}

/** `PAYMENT_PORT` of `payment`. */
export function toPortSetting(entry: EntryPoint): string {
  return entry === "eventstore" ? "EVENT_STORE_PORT" : `${entry.toUpperCase().replace("-", "_")}_PORT`;
}

/** `http://host:port` of an entry point for clients on this machine. */
export function toEntryPointUrl(settings: Listening, entry: EntryPoint): string {
  const host = settings.host === "0.0.0.0" || settings.host === "::" ? "127.0.0.1" : settings.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${settings.ports[entry]}`;
}

/** Base of absolute links to an entry point, without a trailing slash. */
export function linkBase(settings: Listening & { publicUrl?: string }, entry: EntryPoint): string {
  return settings.publicUrl ?? toEntryPointUrl(settings, entry);
}
