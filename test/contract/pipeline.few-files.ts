import { closeSync, openSync } from "node:fs";
import { createPdfReader } from "../../services/pipeline/reading/pdf/reader.ts";
import { childrenRunning } from "../support/children.ts";

/** Reads a PDF while this process may open no more files, and again when it may; prints what came of each. */

const file = process.argv[2]!;
const reader = createPdfReader({ processes: 1 });
const outcomes: string[] = [];
const held: number[] = [];

const takeAll = (): void => {
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch {
    // None is left.
  }
};
const giveBack = (): void => held.splice(0).forEach(closeSync);
const note = async (work: Promise<unknown>): Promise<void> => {
  outcomes.push(
    await work.then(
      (result) => JSON.stringify(result) ?? "read",
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    ),
  );
};
/** Of every page what is on it, or why it was not read. */
const read = async (onFirst = (): void => undefined): Promise<string[]> => {
  const pages: string[] = [];
  await reader.read(file, 1, 3, (page) => {
    pages.push("failed" in page ? page.failed.code : page.findings.text);
    if (pages.length === 1) onFirst();
  });
  return pages;
};

takeAll();
await note(reader.open(file));
await note(reader.draw(file, 1));
await note(read());
giveBack();
await note(reader.open(file));
const killed = read(() => {
  const running = childrenRunning("reading/pdf/process.ts");
  takeAll();
  for (const pid of running) process.kill(pid, "SIGKILL");
});
await note(killed);
giveBack();
await note(read());
await reader.close();
process.stdout.write(JSON.stringify(outcomes));
process.exit(0);
