import { BackupError } from "@partline/durable";
import { resolve } from "node:path";
import { readDataDir } from "../broker/settings.ts";
import { SettingsReader } from "../broker/settings/reader.ts";
import { fail } from "./fail.ts";

// A copy is as private as its source.
process.umask(0o077);

/** Folders of a DATA_DIR that the next start makes again, or has no use for. */
export const DERIVED = ["search", "passages", "media-work", "pipeline-work"];

/** Returns the folder argument; without one, prints the usage and exits. */
export function readFolder(usage: string): string {
  const [folder] = process.argv.slice(2);
  if (folder !== undefined && !folder.startsWith("-")) return resolve(folder);
  const isAsked = folder === "--help" || folder === "-h";
  (isAsked ? process.stdout : process.stderr).write(`Usage: ${usage}\n`);
  process.exit(isAsked ? 0 : 1);
}

/** Returns the DATA_DIR of the embedded stores. @throws BackupError if the documents are in MongoDB */
export function readEmbeddedDataDir(env: NodeJS.ProcessEnv): string {
  const reader = new SettingsReader(env);
  if (reader.getMongoUrl("MONGO_URL") !== undefined)
    throw new BackupError(
      "The documents and events are in MongoDB (MONGO_URL), which has tools of its own: docs/operations.md",
    );
  return readDataDir(reader);
}

/** Ends the command, with one line for an error that the operator can mend. */
export function failBackup(error: unknown): never {
  if (!(error instanceof BackupError)) return fail(error);
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
