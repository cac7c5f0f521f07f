import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import sharp from "sharp";
import { createRenderer, type Renderer, type RendererOptions } from "../../services/media/rendering/renderer.ts";
import { childrenRunning } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { quarters } from "../support/images.ts";

let directory: string;
let renderer: Renderer | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "media-renderer-"));
  await writeFile(join(directory, "small.png"), await quarters(60, 40).png().toBuffer());
  // Most of a second of work.
  await writeFile(
    join(directory, "large.jpeg"),
    await sharp({
      create: {
        width: 3_000,
        height: 2_500,
        channels: 3,
        background: "grey",
        noise: { type: "gaussian", mean: 128, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer(),
  );
});
afterEach(async () => {
  renderer?.close();
  await eventually(() => children().length === 0);
});
afterAll(() => rm(directory, { recursive: true }));

let outputs = 0;
const start = (options: Partial<RendererOptions> = {}): Renderer =>
  (renderer = createRenderer({ processes: 1, withinMs: 60_000, ...options }));
const small = (of: Renderer) => {
  outputs += 1;
  return of.run({
    kind: "original",
    input: join(directory, "small.png"),
    output: join(directory, `out-${outputs}`),
    format: "png",
  });
};
const large = (of: Renderer) => {
  outputs += 1;
  const variant = { width: 2_000, height: 1_667, mode: "exact", format: "avif" } as const;
  return of.run({
    kind: "variant",
    input: join(directory, "large.jpeg"),
    output: join(directory, `out-${outputs}`),
    original: { format: "jpeg", pages: 1 },
    variant,
  });
};
const children = (): number[] => childrenRunning("rendering/worker.ts");

test("works in a process of its own, that knows nothing of our environment, ends when there is nothing to do and comes again", async () => {
  process.env.MEDIA_TEST_SECRET = "hunter2";
  const idle = start({ idleMs: 200 });
  expect(await small(idle)).toMatchObject({ format: "png", width: 60, height: 40, pages: 1 });
  const [pid] = children();
  expect(execFileSync("cat", [`/proc/${pid!}/environ`]).toString()).not.toMatch(/hunter2|PATH|HOME/);
  await eventually(() => children().length === 0);
  expect(await small(idle)).toMatchObject({ width: 60 });
  delete process.env.MEDIA_TEST_SECRET;
});

test("an image whose process is killed is worked on once more, and no more often; the next one is not harmed", async () => {
  const one = start();
  let isDone = false;
  const failed = large(one)
    .catch((error: unknown) => error)
    .finally(() => (isDone = true));
  const waits = small(one);
  const killed = new Set<number>();
  while (!isDone) {
    await eventually(() => isDone || children().some((pid) => !killed.has(pid)));
    if (isDone) break;
    const [pid] = children().filter((other) => !killed.has(other));
    process.kill(pid!, "SIGKILL");
    killed.add(pid!);
  }
  expect(await failed).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(await small(one)).toMatchObject({ width: 60 });
  await waits.catch((error: unknown) => expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE" }));
  // One that dies while it waits for work is not given any.
  process.kill(children()[0]!, "SIGKILL");
  await eventually(() => children().length === 0);
  expect(await small(one)).toMatchObject({ width: 60 });
});

test("a full disk is reported as such, and not as a fault of the image", async () => {
  const job = { kind: "original", input: join(directory, "small.png"), output: "/dev/full", format: "png" } as const;
  await expect(start().run(job)).rejects.toMatchObject({ code: "ENOSPC" });
});

test("an image that takes too long is given up, and its process with it", async () => {
  const hasty = start({ withinMs: 8_000 });
  await small(hasty);
  const [pid] = children();
  // It hangs, on a machine of any speed.
  process.kill(pid!, "SIGSTOP");
  await expect(small(hasty)).rejects.toMatchObject({ code: "TIMEOUT" });
  await eventually(() => !children().includes(pid!));
  expect(await small(hasty)).toMatchObject({ width: 60 });
});

test("no more processes work than are allowed, however much there is to do", async () => {
  const two = start({ processes: 2 });
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, children().length)), 20);
  await Promise.all(Array.from({ length: 12 }, () => small(two)));
  clearInterval(watch);
  expect(most).toBeLessThanOrEqual(2);
  const cutOff = Array.from({ length: 4 }, () => large(two).catch((error: unknown) => error));
  two.close();
  await eventually(() => children().length === 0);
  for (const failed of await Promise.all(cutOff)) expect(failed).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  await expect(small(two)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});
