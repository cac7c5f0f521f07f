import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface Change {
  name: string;
  /** Undefined leaves the setting in the file as a comment, for later. */
  value: string | undefined;
  comment: string;
}

/** Returns the text of a settings file; an empty one if it does not exist. */
export function readSettingsFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Replaces the file in one step; only its owner can read it. */
export function writeSettingsFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, text, { mode: 0o600, flag: "w" });
  renameSync(`${path}.new`, path);
}

/** Applies changes to the text of a settings file. All other lines and comments stay. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  return changes.reduce(applyChange, text);
}

function applyChange(text: string, { name, value, comment }: Change): string {
  const line = value === undefined ? `# ${name}=` : `${name}=${quote(value)}`;
  const lines = text.split("\n");
  const findLast = (pattern: RegExp) => lines.findLastIndex((candidate) => pattern.test(candidate));
  // Of several lines of a name, the last counts.
  const active = findLast(new RegExp(`^\\s*(export\\s+)?${name}\\s*=`));
  const index = active >= 0 ? active : findLast(new RegExp(`^\\s*#\\s*${name}\\s*=`));
  if (index >= 0) return lines.with(index, line).join("\n");
  const start = text === "" || text.endsWith("\n\n") ? text : `${text.trimEnd()}\n\n`;
  return `${start}# ${comment}\n${line}\n`;
}

/** Writes a value as Node's `--env-file` reads it. @throws if it has every kind of quotes, or several lines */
function quote(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new Error("A setting has one line");
  if (/^[\w@%+:,./|~-]+$/.test(value)) return value;
  // Within double quotes, \n would be a new line.
  const mark = ["'", "`", '"'].find(
    (candidate) => !value.includes(candidate) && !(candidate === '"' && /\\n/.test(value)),
  );
  if (mark === undefined) throw new Error("A setting cannot have ', ` and \" at once");
  return `${mark}${value}${mark}`;
}
