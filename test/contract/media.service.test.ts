import { ABANDONED_AFTER_MS, openWorkFiles } from "@partline/toolkit";
import { createHash } from "node:crypto";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import sharp from "sharp";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { openObjectStore } from "../../packages/durable/src/object-store/open.ts";
import { IMAGES, getObjectPrefix, VARIANTS, type VariantDocument } from "../../services/media/collections.ts";
import { createImages } from "../../services/media/images.ts";
import { MAX_UPLOAD_BYTES, MAX_VARIANTS, MOST_OF_IMAGE } from "../../services/media/limits.ts";
import { createRenderer } from "../../services/media/rendering/renderer.ts";
import { call } from "../../services/contracts.ts";
import { animation, colourAt, jpegOnItsSide, pngBomb, quarters, repeatedFrames } from "../support/images.ts";
import { removeTestBucket, s3Settings, s3TestLocation } from "../support/s3.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

/** What is far larger than it looks takes a second to make. */
let tooLarge: Promise<{ bomb: Buffer; frames: Buffer; avif: Buffer; large: Buffer }> | undefined;
async function makeTooLarge() {
  const red = (width: number) => sharp({ create: { width, height: 4_000, channels: 3, background: "red" } });
  return {
    bomb: await pngBomb(30_000, 30_000),
    // Each frame is small enough; together they are not.
    frames: repeatedFrames(await red(4_000).gif().toBuffer(), 4),
    avif: await red(4_100).avif({ effort: 0 }).toBuffer(),
    large: await pngBomb(5_000, 5_000),
  };
}

describe("The media service", () => {
  const settings = testSettings(s3Settings());
  let media: TestBroker;
  beforeAll(async () => {
    media = await startTestBroker({ services: ["media"], transport: "fake", settings });
  });
  afterAll(async () => {
    await media.stop();
    if (settings.s3) await removeTestBucket(settings.s3);
  });

  const put = (content: Buffer, chunk = 10_000) => {
    const chunks = Array.from({ length: Math.ceil(content.length / chunk) }, (_, n) =>
      content.subarray(n * chunk, (n + 1) * chunk),
    );
    return call(media.broker, "media.put", { contentType: "" }, { stream: Readable.from(chunks) });
  };
  type Wanted = {
    w?: number;
    h?: number;
    fit?: "inside" | "cover" | "contain" | "fill";
    format?: "jpeg" | "png" | "webp" | "avif" | "auto";
  };
  const get = async (id: string, { accept, ...wanted }: Wanted & { accept?: string } = {}) => {
    const answer = await call(media.broker, "media.get", {
      id,
      ...wanted,
      file: accept === undefined ? {} : { accept },
    });
    return { ...answer, body: answer.body as Buffer };
  };
  const keptKeys = async (id: string): Promise<string[]> => {
    const objects = await openObjectStore({ s3: settings.s3, dataDir: settings.dataDir });
    const keys: string[] = [];
    for await (const { key } of objects.list(`media/${id}/`)) keys.push(key);
    objects.close();
    return keys;
  };

  test("keeps an image under the hash of what was sent, and the same again is the same", async () => {
    const sent = await quarters(120, 80).png().toBuffer();
    const id = createHash("sha256").update(sent).digest("hex");
    const first = await put(sent);
    expect(first).toEqual({
      id,
      url: `http://127.0.0.1:3002/api/media/${id}`,
      type: "image/png",
      width: 120,
      height: 80,
      bytes: expect.any(Number),
    });
    expect(await put(sent, 7)).toEqual(first);
    const answer = await get(id);
    expect(answer).toMatchObject({
      status: 200,
      type: "image/png",
      bytes: first.bytes,
      etag: `"${createHash("sha256").update(answer.body).digest("hex")}"`,
      cacheControl: "public, max-age=31536000, immutable",
    });
    const negotiated = await get(id, { w: 60, format: "auto", accept: "image/webp,*/*" });
    expect(negotiated).toMatchObject({ type: "image/webp", vary: "Accept" });
    expect(
      await Promise.all([colourAt(answer.body, 5, 5), colourAt(answer.body, 115, 5), colourAt(answer.body, 5, 75)]),
    ).toEqual(["red", "green", "blue"]);
  });

  test("many who send one image at once keep one", async () => {
    const sent = await quarters(64, 64).webp().toBuffer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(sent)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await keptKeys(answers[0]!.id)).toHaveLength(1);
  });

  test("turns an image upright and takes away who made it, where, and all bytes behind its end", async () => {
    const sent = Buffer.concat([await jpegOnItsSide(), Buffer.from("PK\x03\x04 hidden archive")]);
    expect(sent.includes("secret-owner")).toBe(true);
    const { id, width, height, type } = await put(sent);
    expect({ width, height, type }).toEqual({ width: 100, height: 200, type: "image/jpeg" });
    const variant = { w: 50 } as const;
    for (const { body } of [await get(id), await get(id, variant), await get(id, { ...variant, format: "webp" })]) {
      const facts = await sharp(body).metadata();
      expect([facts.exif, facts.xmp, facts.iptc, facts.icc, facts.orientation, facts.comments]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      for (const secret of ["Jane Roe", "secret-owner", "hidden archive", "Exif"])
        expect(body.includes(secret)).toBe(false);
    }
    // What was left at the bottom is left at the top now.
    expect(await colourAt((await get(id)).body, 10, 10)).toBe("blue");
  });

  test.each(["jpeg", "png", "webp", "avif", "gif"] as const)("takes %s by its content", async (format) => {
    const { id, type } = await put(await quarters(64, 48)[format]().toBuffer());
    expect(type).toBe(`image/${format}`);
    expect((await sharp((await get(id)).body).metadata()).mediaType).toBe(`image/${format}`);
  });

  test("refuses what is no image that it takes, by its content", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const tiff = await quarters(10, 10).tiff().toBuffer();
    const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
    for (const other of [svg, tiff, heic, Buffer.from("%PDF-1.7\n"), Buffer.from("x"), Buffer.alloc(100_000)]) {
      await expect(put(other)).rejects.toMatchObject({
        code: "UNSUPPORTED_MEDIA_TYPE",
        message: expect.stringContaining("jpeg, png, webp, avif, gif"),
      });
    }
    await expect(put(Buffer.alloc(0))).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });

  test("refuses a broken image and says what is wrong with it, for every kind of damage", async () => {
    const jpeg = await quarters(400, 400).jpeg().toBuffer();
    const png = await quarters(400, 400).png().toBuffer();
    const flipped = Buffer.from(png);
    flipped[png.length >> 1]! ^= 0xff;
    const broken = [
      jpeg.subarray(0, jpeg.length >> 1),
      png.subarray(0, png.length - 200),
      flipped,
      Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(5_000, 7)]),
      (await quarters(400, 400).webp().toBuffer()).subarray(0, 100),
      (await quarters(64, 64).avif().toBuffer()).subarray(0, 120),
    ];
    for (const content of broken) {
      const refusal = await put(content).catch((error: unknown) => error as Error);
      expect(refusal).toMatchObject({
        code: "VALIDATION_FAILED",
        message: expect.stringMatching(/^The image cannot be read: ./),
      });
      expect((refusal as Error).message).not.toMatch(/tmp|media-work/);
    }
  });

  test("refuses what is too large as a file or in pixels, and unpacks no bomb", async () => {
    await expect(
      put(Buffer.concat([await quarters(10, 10).png().toBuffer(), Buffer.alloc(MAX_UPLOAD_BYTES)]), 100_000),
    ).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    const { bomb, frames, avif, large } = await (tooLarge ??= makeTooLarge());
    expect(bomb.length).toBeLessThan(200_000);
    await expect(put(bomb)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: "The image has more than 50 megapixels",
    });
    await expect(put(frames)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: "The image has more than 50 megapixels",
    });
    await expect(put(avif)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: "The image has more than 16 megapixels",
    });
    const { id } = await put(large);
    expect(await get(id, { w: 10 })).toMatchObject({ status: 200, type: "image/png" });
  }, 60_000);

  test("an animation stays one as GIF and WebP, and is its first frame otherwise", async () => {
    const { id, width, height } = await put(await animation());
    expect([width, height]).toEqual([40, 30]);
    const pages = async (wanted: Wanted & { accept?: string }) => {
      const facts = await sharp((await get(id, wanted)).body, { pages: -1 }).metadata();
      return [facts.format, facts.pages ?? 1, facts.width, facts.pageHeight ?? facts.height];
    };
    expect(await pages({})).toEqual(["gif", 3, 40, 30]);
    expect(await pages({ w: 20 })).toEqual(["gif", 3, 20, 15]);
    expect(await pages({ w: 20, h: 20, fit: "cover", format: "webp" })).toEqual(["webp", 3, 20, 20]);
    expect(await pages({ w: 20, format: "png" })).toEqual(["png", 1, 20, 15]);
    expect((await pages({ format: "auto", accept: "image/avif,image/webp" }))[0]).toBe("webp");
  });

  test("an animation whose frames are all alike is the one picture that is left of it", async () => {
    const frame = await quarters(40, 30).gif().toBuffer();
    const { id, width, height } = await put(repeatedFrames(frame, 20));
    expect([width, height]).toEqual([40, 30]);
    const { width: shownWidth, height: shownHeight } = await sharp(
      (await get(id, { w: 20, format: "png" })).body,
    ).metadata();
    expect([shownWidth, shownHeight]).toEqual([20, 15]);
  });

  test("a variant is made once however many ask for it, and kept", async () => {
    const { id } = await put(await quarters(300, 301).png().toBuffer());
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => get(id, n % 2 === 0 ? { w: 30 } : { w: 30, h: 4_000 })),
    );
    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(1);
    expect(await keptKeys(id)).toHaveLength(2);
    expect((await get(id, { w: 30 })).etag).toBe(answers[0]!.etag);
  });

  test("what is asked for again an hour later stays, however many others are made", async () => {
    const { id } = await put(await quarters(201, 200).png().toBuffer());
    const variants = media.documents.collection<VariantDocument>(VARIANTS);
    const wanted = (width: number) => ({ w: width, h: 101, fit: "fill" }) as const;
    for (const width of [1, 2]) await get(id, wanted(width));
    await variants.updateOne({ _id: `${id}/1x101-exact.png` }, { $set: { madeAt: new Date(Date.now() - 3_600_000) } });
    for (const width of [1, 2]) await get(id, wanted(width));
    for (let width = 3; width <= MAX_VARIANTS + 1; width += 1) await get(id, wanted(width));
    const kept = (await variants.find({ image: id }))
      .map(({ _id }) => Number.parseInt(_id.split("/")[1]!, 10))
      .sort((one, other) => one - other);
    expect(kept).toEqual([1, ...Array.from({ length: MAX_VARIANTS - 1 }, (_, index) => index + 3)]);
  }, 60_000);

  test("what is asked for beyond what can wait is refused at once, and made when there is time", async () => {
    const { id } = await put(await quarters(501, 500).png().toBuffer());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 90 }, (_, n) => get(id, { w: 300 + n, h: 200, fit: "fill" })),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason as { code: string }] : [],
    );
    expect(refused.length).toBe(90 - MOST_OF_IMAGE);
    for (const { code } of refused) expect(code).toBe("SERVICE_UNAVAILABLE");
    expect(await get(id, { w: 389, h: 200, fit: "fill" })).toMatchObject({ status: 200 });
  }, 60_000);

  test("many sizes of one image hold up no other image, of the same client either", async () => {
    const client = "a proxy";
    const ask = (id: string, w: number) =>
      call(media.broker, "media.get", { id, w, h: 399, fit: "fill", format: "avif", file: {} }, { meta: { client } });
    const [odd, other] = await Promise.all(
      [602, 50].map(async (width) => (await put(await quarters(width, 600).png().toBuffer())).id as string),
    );
    let made = 0;
    const flood = Array.from({ length: 100 }, (_, n) =>
      ask(odd!, 400 + n).then(
        () => (made += 1),
        (error: { code: string }) => expect(error.code).toBe("SERVICE_UNAVAILABLE"),
      ),
    );
    expect(await ask(other!, 10)).toMatchObject({ status: 200 });
    expect(made).toBeLessThanOrEqual(2);
    await Promise.all(flood);
    expect(made).toBe(MOST_OF_IMAGE);
  }, 60_000);

  test("one client has one renderer at a time, so that others have theirs", async () => {
    const slow = await Promise.all(
      [1, 2].map(
        async (n) =>
          (
            await put(
              await quarters(1_200, 1_200 + n)
                .png()
                .toBuffer(),
            )
          ).id,
      ),
    );
    const ended: string[] = [];
    const ask = (client: string, id: string, w: number) =>
      call(
        media.broker,
        "media.get",
        { id, w, h: 1_199, fit: "fill", format: "avif", file: {} },
        { meta: { client } },
      ).then(
        () => ended.push(client),
        (error: { code: string }) => ended.push(error.code),
      );
    const greedy = Array.from({ length: 6 }, (_, n) => ask("greedy", slow[n % 2]!, 1_100 + n));
    const { id } = await put(await quarters(50, 51).png().toBuffer());
    await ask("modest", id, 10);
    // One was being made when it came; two would have been.
    expect(ended.filter((client) => client === "greedy").length).toBeLessThan(3);
    expect(ended).toContain("modest");
    await Promise.all(greedy);
  }, 120_000);

  test("an image whose bytes are lost is whole again when it is put again, and a variant is made again", async () => {
    const sent = await quarters(90, 91).png().toBuffer();
    const { id } = await put(sent);
    const original = await get(id);
    const variant = await get(id, { w: 45 });
    const objects = await openObjectStore({ s3: settings.s3, dataDir: settings.dataDir });
    for (const { etag } of [variant, original]) await objects.delete(`media/${id}/${etag.slice(1, -1)}`);
    objects.close();
    await expect(get(id)).rejects.toMatchObject({ code: "NOT_FOUND", message: `Image ${id} not found` });
    await expect(get(id, { w: 45 })).rejects.toMatchObject({ code: "NOT_FOUND", message: `Image ${id} not found` });
    await put(sent);
    expect((await get(id)).body.equals(original.body)).toBe(true);
    expect((await get(id, { w: 45 })).body.equals(variant.body)).toBe(true);
  });

  test("deleting an image takes its variants with it, also those that are being made, unless it is the logo", async () => {
    const { id } = await put(await quarters(1_500, 1_000).jpeg().toBuffer());
    await get(id, { w: 100 });
    const making = get(id, { w: 1_200, format: "avif" }).catch((error: unknown) => error);
    settings.shop.logo = id;
    await expect(call(media.broker, "media.remove", { id })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    settings.shop.logo = null;
    expect(await call(media.broker, "media.remove", { id })).toEqual({ deleted: true });
    await making;
    await expect(get(id)).rejects.toMatchObject({ code: "NOT_FOUND", message: `Image ${id} not found` });
    await expect(get(id, { w: 100 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(call(media.broker, "media.remove", { id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await keptKeys(id)).toEqual([]);
  });

  test("a sender that breaks off leaves nothing", async () => {
    const sent = await quarters(500, 500).png().toBuffer();
    const breaking = Readable.from(
      (function* () {
        yield sent.subarray(0, 500);
        throw new Error("hung up");
      })(),
    );
    await expect(call(media.broker, "media.put", { contentType: "" }, { stream: breaking })).rejects.toMatchObject({
      code: "CLIENT_CLOSED_REQUEST",
    });
    const id = createHash("sha256").update(sent).digest("hex");
    expect(await keptKeys(id)).toEqual([]);
    await expect(get(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    if (!settings.s3) expect(await readdir(join(settings.dataDir, "objects", ".arriving"))).toEqual([]);
  });

  test("works on after its folder of work was cleaned away, and leaves nothing in it", async () => {
    const work = join(settings.dataDir, "media-work");
    await rm(work, { recursive: true });
    const { id } = await put(await quarters(70, 71).png().toBuffer());
    await rm(work, { recursive: true });
    expect(await get(id, { w: 35 })).toMatchObject({ status: 200 });
    expect(await readdir(work)).toEqual([]);
  });

  test("lists which images are kept, and reports that it can serve", async () => {
    const { id } = await put(await quarters(20, 20).png().toBuffer());
    expect(await call(media.broker, "media.has", { ids: [id, "0".repeat(64)] })).toEqual({ ids: [id] });
    expect(await call(media.broker, "media.ready", {})).toEqual({});
  });
});

test("what killed processes left of their work is removed at the start, what others work on is not", async () => {
  const settings = testSettings();
  const work = join(settings.dataDir, "media-work");
  await mkdir(work, { recursive: true });
  for (const name of ["left", "under-way"]) await writeFile(join(work, name), "half an image");
  const long = new Date(Date.now() - ABANDONED_AFTER_MS - 60_000);
  await utimes(join(work, "left"), long, long);
  const media = await startTestBroker({ services: ["media"], settings });
  expect(await readdir(work)).toEqual(["under-way"]);
  await media.stop();
  expect(await readdir(work)).toEqual(["under-way"]);
});

(process.env.S3_ENDPOINT ? test : test.skip)(
  "while the S3 is away nothing is served and nothing lost, and readiness says so",
  async () => {
    const location = s3TestLocation();
    const proxy = await startTcpProxy(location.endpoint);
    const settings = testSettings(s3Settings({ ...location, endpoint: proxy.url }));
    const media = await startTestBroker({ services: ["media"], settings });
    const put = (image: Buffer) =>
      call(media.broker, "media.put", { contentType: "" }, { stream: Readable.from([image]) });
    const { id } = await put(await quarters(50, 50).png().toBuffer());
    const another = await quarters(51, 50).png().toBuffer();
    await proxy.cut();
    await expect(call(media.broker, "media.ready", {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(call(media.broker, "media.get", { id, file: {} })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(call(media.broker, "media.get", { id, w: 10, file: {} })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    await expect(put(another)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await proxy.restore();
    expect(await call(media.broker, "media.ready", {})).toEqual({});
    expect(await call(media.broker, "media.get", { id, w: 10, file: {} })).toMatchObject({ status: 200 });
    expect(await put(another)).toMatchObject({ width: 51 });
    await media.stop();
    await proxy.close();
    await removeTestBucket(location);
  },
  60_000,
);

test("an image that one node stores while another deletes it has its bytes, or is gone", async () => {
  const settings = testSettings();
  const documents = await openDocumentStore({ dataDir: settings.dataDir });
  const objects = await openObjectStore({ s3: undefined, dataDir: settings.dataDir });
  const renderer = createRenderer({ processes: 1, withinMs: 30_000 });
  const files = await openWorkFiles(join(settings.dataDir, "media-work"));
  const stores = { documents, objects, renderer, files };
  const sent = await quarters(20, 20).png().toBuffer();
  const id = createHash("sha256").update(sent).digest("hex");
  const other = createImages(stores);
  /** The other node's work comes right behind this one's first put, or before its first list. */
  const meeting = (name: "put" | "list", work: () => Promise<unknown>) => {
    let isNext = true;
    return createImages({
      ...stores,
      objects: new Proxy(objects, {
        get: (_, asked) => {
          const method = (Reflect.get(objects, asked) as (...given: unknown[]) => unknown).bind(objects);
          if (asked !== name || !isNext) return method;
          isNext = false;
          if (name === "put") return async (...given: unknown[]) => (await method(...given), await work());
          return async function* (...given: unknown[]) {
            await work();
            yield* method(...given) as AsyncIterable<unknown>;
          };
        },
      }),
    });
  };
  const left = async () => {
    const keys: string[] = [];
    for await (const { key } of objects.list(getObjectPrefix(id))) keys.push(key);
    return { documents: await documents.collection(IMAGES).count({ _id: id }), objects: keys.length };
  };
  await meeting("put", () => other.remove(id).catch(() => undefined)).put(Readable.from([sent]));
  expect(await left()).toEqual({ documents: 1, objects: 1 });
  await meeting("list", () => other.put(Readable.from([sent]))).remove(id);
  expect(await left()).toEqual({ documents: 0, objects: 0 });
  renderer.close();
  await files.close();
  await documents.close();
});
