import { SettingsError } from "../broker/settings/reader.ts";

/** Ends the process: a line for each problem that the operator can mend, else the whole error. */
export function fail(error: unknown): never {
  const isMendable =
    error instanceof SettingsError ||
    (error instanceof Error && "code" in error && (error.code === "PORT_TAKEN" || error.code === "EADDRINUSE"));
  const text = isMendable
    ? `Partline did not start.\n${error.message}`
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
