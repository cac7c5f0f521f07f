import { resolve } from "node:path";
import { readDataDir } from "../../broker/settings.ts";
import { SettingsReader } from "../../broker/settings/reader.ts";
import { fail } from "../fail.ts";
import { BackupError } from "./backup.ts";

// What is copied is as private as what it was copied from.
process.umask(0o077);

/** The folder that a command was given; else it ends with how it is called. */
export function folderGiven(usage: string): string {
  const [folder] = process.argv.slice(2);
  if (folder !== undefined && !folder.startsWith("-")) return resolve(folder);
  const isAsked = folder === "--help" || folder === "-h";
  (isAsked ? process.stdout : process.stderr).write(`Usage: ${usage}\n`);
  process.exit(isAsked ? 0 : 1);
}

/** The DATA_DIR whose embedded stores are meant. @throws BackupError where the documents are not in it */
export function embeddedDataDir(env: NodeJS.ProcessEnv): string {
  const read = new SettingsReader(env);
  if (read.mongoUrl("MONGO_URL") !== undefined)
    throw new BackupError(
      "The documents and events are in MongoDB (MONGO_URL), which has tools of its own: docs/operations.md",
    );
  return readDataDir(read);
}

/** Ends the command: what the operator can mend in one line. */
export function failed(error: unknown): never {
  if (!(error instanceof BackupError)) return fail(error);
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
