import { createPdfReader } from "../src/pdf/reader.ts";
import { childrenRunning } from "../../../test/support/children.ts";
import { giveFilesBack, outcomeOf, takeFiles } from "../../../test/support/few-files.ts";

/** Reads a PDF while this process may open no more files, and again when it may; prints what came of each. */

const file = process.argv[2]!;
const reader = createPdfReader({ processes: 1 });
const outcomes: string[] = [];
const note = async (work: Promise<unknown>): Promise<void> => {
  outcomes.push(await outcomeOf(work, (result) => JSON.stringify(result)));
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

takeFiles();
await note(reader.open(file));
await note(reader.draw(file, 1));
await note(read());
giveFilesBack();
await note(reader.open(file));
await note(
  read(() => {
    const running = childrenRunning("manual-reader/src/pdf/process.ts");
    takeFiles();
    for (const pid of running) process.kill(pid, "SIGKILL");
  }),
);
giveFilesBack();
await note(read());
await reader.close();
process.stdout.write(JSON.stringify(outcomes));
process.exit(0);
