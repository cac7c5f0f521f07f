import type { Readable } from "node:stream";
import { readFileContent } from "@partline/toolkit";
import { answerFile, type FileAnswer, type FileRequest } from "../../broker/contract/file.ts";
import { notFound } from "../../mixins/errors.ts";
import { readObject } from "@partline/durable";
import { receiveImage } from "./receive.ts";
import type { MediaStores } from "./images.ts";

/** Longest side, pixels. */
const MOST_SIDE = 1_600;

const getPrefix = (orderId: string): string => `order-photos/${orderId}/`;

/** Keeps photos that buyers send with an order: reduced, as JPEG, for staff alone. */
export function createPhotos({ objects, renderer, files }: Pick<MediaStores, "objects" | "renderer" | "files">) {
  return {
    /** Keeps the same photo once. @throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
    put: (orderId: string, body: Readable | undefined): Promise<string> =>
      files.use(async (path) => {
        const [input, upright, output] = [path(), path(), path()];
        const { id, format } = await receiveImage(body, input);
        if (await objects.head(getPrefix(orderId) + id)) return id;
        const original = await renderer.run({ kind: "original", input, output: upright, format });
        const scale = Math.min(1, MOST_SIDE / Math.max(original.width, original.height));
        const [width = 1, height = 1] = [original.width, original.height].map((side) =>
          Math.max(1, Math.round(side * scale)),
        );
        const variant = { width, height, mode: "exact", format: "jpeg" } as const;
        await renderer.run({ kind: "variant", input: upright, output, original, variant });
        await objects.put(getPrefix(orderId) + id, readFileContent(output), { contentType: "image/jpeg" });
        return id;
      }),

    /** @throws NOT_FOUND */
    async get(orderId: string, id: string, request: FileRequest): Promise<FileAnswer> {
      // What was percent-encoded in an address may be part of a path.
      if (!/^\w+$/.test(orderId)) throw notFound("Photo", id);
      const key = getPrefix(orderId) + id;
      const facts = await objects.head(key);
      if (!facts) throw notFound("Photo", id);
      const { bytes } = facts;
      const answered = { type: "image/jpeg", etag: `"${id}"`, bytes, cacheControl: "private, max-age=3600" };
      return answerFile(request, answered, (from, to) => readObject(objects, key, { from, to }));
    },

    remove: (orderId: string, id: string): Promise<void> => objects.delete(getPrefix(orderId) + id),

    async removeAll(orderId: string): Promise<void> {
      for await (const { key } of objects.list(getPrefix(orderId))) await objects.delete(key);
    },
  };
}
