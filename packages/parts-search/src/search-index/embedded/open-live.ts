import { isDamaged } from "@partline/toolkit";
import { SearchIndexError, type LogicalIndex } from "../port.ts";
import type { IndexDirectory } from "./index-directory.ts";
import { UNUSABLE } from "./index-schema.ts";
import { IndexThread } from "./index-thread.ts";
import type { Readers } from "./readers.ts";

export interface Logger {
  warn(message: string, error?: unknown): void;
}

interface Options {
  readers: Readers;
  logger?: Logger;
}

/**
 * Opens the live index or, if it is unusable, the newest older one that is kept. Removes nothing: unusable files stay
 * until a build has replaced them.
 * @returns undefined when a build is needed
 * @throws UNAVAILABLE when a file cannot be opened for another reason, such as a full disk
 */
export async function openLive(
  directory: IndexDirectory,
  index: LogicalIndex,
  { readers, logger }: Options,
): Promise<IndexThread | undefined> {
  const target = directory.getTarget(index);
  if (target === undefined) {
    if (!directory.hasLostAliases) return createFirst(directory, index, readers);
    logger?.warn(
      `aliases.json is missing, so the live search index of ${index} is unknown: it must be rebuilt; existing files stay until then`,
    );
    return undefined;
  }
  for (let name: string | undefined = target; name !== undefined; name = directory.findOlder(name)) {
    if (!directory.has(name)) {
      logger?.warn(`The file of the search index ${name} is gone`);
      continue;
    }
    const thread = new IndexThread(name, { path: directory.toPath(name), isBuild: false }, readers);
    try {
      const documents = await thread.count();
      if (name !== target) {
        await directory.point([{ index, to: { name, documents }, dropsOthers: false }]);
        logger?.warn(`The search index goes back from ${target} to ${name}`);
      }
      await thread.open();
      return thread;
    } catch (error) {
      await thread.close();
      const reason = error instanceof Error ? (error.cause ?? error) : error;
      if (!isOfTheFile(reason)) {
        throw new SearchIndexError(
          "UNAVAILABLE",
          `The search index ${directory.toPath(name)} cannot be opened: ${String(reason)}`,
          { cause: error },
        );
      }
      logger?.warn(`The search index ${name} cannot be used`, reason);
    }
  }
  logger?.warn(`The search index of ${index} must be rebuilt`);
  return undefined;
}

async function createFirst(directory: IndexDirectory, index: LogicalIndex, readers: Readers): Promise<IndexThread> {
  const name = directory.createName(index);
  const thread = new IndexThread(name, { path: directory.toPath(name), isBuild: false }, readers);
  try {
    await directory.point([{ index, to: { name, documents: await thread.count() }, dropsOthers: false }]);
    await thread.open();
    return thread;
  } catch (error) {
    await thread.close();
    throw error;
  }
}

/**
 * Damage, or what this version cannot use. An error of another thread has the fields of its class, and not the class.
 */
function isOfTheFile(reason: unknown): boolean {
  const code: unknown = typeof reason === "object" && reason !== null && "code" in reason ? reason.code : undefined;
  return isDamaged(reason) || UNUSABLE.some((unusableCode) => unusableCode === code);
}
