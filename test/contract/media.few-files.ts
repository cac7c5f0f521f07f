import { openWorkFiles } from "@partline/toolkit";
import { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { openObjectStore } from "../../packages/durable/src/object-store/open.ts";
import { createImages } from "../../services/media/images.ts";
import { createRenderer, type Renderer } from "../../services/media/rendering/renderer.ts";
import { giveFilesBack, outcomeOf, takeFiles } from "../support/few-files.ts";
import { quarters } from "../support/images.ts";

/**
 * Keeps images while this process may open 0, 1, 2 ... more files, with a renderer that runs and with one that must
 * start; prints what came of each.
 */
// Of a process that was not started the handle holds any number, -1 too, and its signal would end other processes
// here.
const kill = ChildProcess.prototype.kill;
ChildProcess.prototype.kill = function (signal) {
  if (this.pid === undefined) process.exit(1);
  return kill.call(this, signal);
};

const dataDir = process.argv[2]!;
const documents = await openDocumentStore({ dataDir });
const objects = await openObjectStore({ dataDir });
const files = await openWorkFiles(join(dataDir, "media-work"));
const outcomes: string[] = [];

const image = (width: number) => quarters(width, 20).png().toBuffer();
const keep = async (spare: number, renderer: Renderer): Promise<string> => {
  const images = createImages({ documents, objects, renderer, files });
  const sent = await image(100 + outcomes.length);
  if (spare < Infinity) takeFiles(spare);
  const outcome = await outcomeOf(images.put(Readable.from([sent])), () => "kept");
  giveFilesBack();
  return outcome;
};

const running = createRenderer({ processes: 1, withinMs: 20_000 });
await createImages({ documents, objects, renderer: running, files }).put(Readable.from([await image(50)]));
for (let spare = 0; spare < 5; spare += 1) outcomes.push(await keep(spare, running));
running.close();
for (const spare of [0, 1, 2, 3, 4, 5, 6, Infinity]) {
  const renderer = createRenderer({ processes: 1, withinMs: 20_000 });
  outcomes.push(await keep(spare, renderer));
  renderer.close();
}
process.stdout.write(JSON.stringify(outcomes));
process.exit(0);
