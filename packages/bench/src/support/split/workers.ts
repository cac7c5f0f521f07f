import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { eventually } from "../../../../../test/support/eventually.ts";
import { Member } from "../cluster/member.ts";
import { mongoTestUrl } from "../../../../../test/support/mongo.ts";
import { startOwnNats } from "../../../../../test/support/nats-server.ts";
import { freePorts } from "../../../../../test/support/ports.ts";
import { removeTestBucket, s3Settings, s3TestLocation } from "../../../../../test/support/s3.ts";
import { ADMIN_TOKEN } from "../../../../../test/support/system.ts";
import { median } from "../statistics.ts";
import { printTable } from "../table.ts";
import type { Aim } from "./aims.ts";

const VARIANTS_A_RUN = 24;
/** As many as two workers have under way, so that none of them waits for the client. */
const AT_ONCE = 4;
const IMAGE_SIDE = 3_000;

/** A camera's picture, as far as work goes: no two pixels alike. */
async function noisyJpeg(): Promise<Uint8Array> {
  return sharp({
    create: {
      width: IMAGE_SIDE,
      height: IMAGE_SIDE,
      channels: 3,
      background: "grey",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();
}

/** Two workers, and one for the client, the gateway and the servers. */
const PROCESSORS = 3;

/**
 * How many pictures a second one and two processes of the media service make smaller behind one gateway. No aims
 * without the servers and processors that it takes.
 */
export async function compareWorkers(rounds: number): Promise<Aim[]> {
  if (!process.env.MONGO_URL || !process.env.S3_ENDPOINT) {
    console.log("\nTwo workers: left out, since MONGO_URL or S3_ENDPOINT is not set");
    return [];
  }
  if (availableParallelism() < 2) {
    console.log("\nTwo workers: left out, since there is one processor only");
    return [];
  }
  const nats = await startOwnNats();
  const s3 = s3TestLocation();
  const [mediaPort, ...healthPorts] = Array.from(
    { length: 3 },
    (
      (first) => (_, index: number) =>
        first + index
    )(await freePorts(3)),
  ) as [number, number, number];
  const env = {
    PATH: process.env.PATH ?? "",
    ADMIN_TOKEN,
    LOG_LEVEL: "warn",
    NATS_URL: nats.url,
    NATS_NAMESPACE: `partline_test_${randomUUID()}`,
    MONGO_URL: mongoTestUrl("split"),
    MEDIA_PORT: String(mediaPort),
    ...s3Settings(s3),
  };
  const dataDir = () => mkdtempSync(join(tmpdir(), "partline-bench-"));
  const base = `http://127.0.0.1:${mediaPort}`;
  const gateway = new Member({
    name: "gateway",
    role: "gateway",
    readyUrl: `${base}/health/ready`,
    env: { ...env, SERVICES: "http:media", DATA_DIR: dataDir() },
  });
  const workers = healthPorts.map(
    (port, processor) =>
      new Member({
        name: `worker-${processor + 1}`,
        role: "media",
        processor,
        env: { ...env, SERVICES: "media", DATA_DIR: dataDir(), HEALTH_PORT: String(port) },
      }),
  );
  const [first, second] = workers as [Member, Member];
  const image = await noisyJpeg();
  const rates: Record<"one worker" | "two workers" | "one worker again", number[]> = {
    "one worker": [],
    "two workers": [],
    "one worker again": [],
  };
  const shares: number[] = [];
  await Promise.all([gateway.start(), first.start()]);
  try {
    for (let round = 0; round < rounds; round++) {
      rates["one worker"].push(await measureRate(base, image));
      await second.start();
      await eventually(async () =>
        /^\w*nodes_online(?:\{[^}]*\})? 3$/m.test(await (await fetch(`${base}/metrics`)).text()),
      );
      const countsBefore = await Promise.all(healthPorts.map(madeBy));
      rates["two workers"].push(await measureRate(base, image));
      const countsMade = (await Promise.all(healthPorts.map(madeBy))).map(
        (count, index) => count - countsBefore[index]!,
      );
      shares.push((Math.max(...countsMade) / (VARIANTS_A_RUN / 2) - 1) * 100);
      await second.stop();
      rates["one worker again"].push(await measureRate(base, image));
    }
  } finally {
    await Promise.all([gateway.stop(), ...workers.map((worker) => worker.stop())]);
    await nats.stop();
    await removeTestBucket(s3);
  }
  const alone = (median(rates["one worker"]) + median(rates["one worker again"])) / 2;
  printTable(
    `Pictures of ${IMAGE_SIDE} by ${IMAGE_SIDE} pixels made smaller, medians of ${rounds} rounds`,
    ["", "pictures/s", "times one"],
    (Object.keys(rates) as (keyof typeof rates)[]).map((name) => [
      name,
      median(rates[name]),
      median(rates[name]) / alone,
    ]),
  );
  const speedup = median(rates["two workers"]) / alone;
  const uneven = median(shares);
  return [
    {
      what: "Two workers make at least 1.7 times as many pictures as one",
      figure: speedup,
      isMet: speedup >= 1.7,
      processors: PROCESSORS,
    },
    {
      what: "Of two workers, the busier makes at most 10 % more than its half",
      figure: uneven,
      isMet: uneven <= 10,
      processors: PROCESSORS,
    },
  ];
}

/** Variants of a new picture a second, none of which is kept yet. */
async function measureRate(base: string, image: Uint8Array): Promise<number> {
  // Its own bytes: what stands behind the end of a JPEG is no part of the picture.
  const response = await fetch(`${base}/api/media`, {
    method: "PUT",
    headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "image/jpeg" },
    body: Buffer.concat([image, Buffer.from(randomUUID())]),
  });
  if (!response.ok) throw new Error(`The picture was answered with ${response.status}: ${await response.text()}`);
  const { id } = (await response.json()) as { id: string };
  const left = Array.from({ length: VARIANTS_A_RUN }, (_, index) => 800 + 10 * index);
  const startedAt = performance.now();
  const lane = async (): Promise<void> => {
    for (let width = left.pop(); width !== undefined; width = left.pop()) {
      const answer = await fetch(`${base}/api/media/${id}?w=${width}&format=webp`);
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`A variant was answered with ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return VARIANTS_A_RUN / ((performance.now() - startedAt) / 1_000);
}

/** Variants that a worker has made, as its metrics count them. */
async function madeBy(healthPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
  const counts = [...text.matchAll(/^\w*requests?_total\{[^}]*action="media\.makeVariant"[^}]*\} (\d+)/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
