import type { Readable } from "node:stream";
import type { DocumentStore, ObjectStore } from "@partline/durable";
import { notFound } from "../../mixins/errors.ts";
import { readFileContent, KeyedQueue, type WorkFiles } from "@partline/toolkit";
import {
  IMAGES,
  getObjectKey,
  getObjectPrefix,
  VARIANTS,
  type ImageDocument,
  type VariantDocument,
} from "./collections.ts";
import { toMediaType } from "./limits.ts";
import { receiveImage } from "./receive.ts";
import type { Renderer } from "./rendering/renderer.ts";

export interface MediaStores {
  documents: DocumentStore;
  objects: ObjectStore;
  renderer: Renderer;
  files: WorkFiles;
}

export type Images = ReturnType<typeof createImages>;

export function createImages({ documents, objects, renderer, files }: MediaStores) {
  const images = documents.collection<ImageDocument>(IMAGES);
  const variants = documents.collection<VariantDocument>(VARIANTS);
  const queue = new KeyedQueue();

  return {
    put: (body: Readable | undefined) =>
      files.use(async (path) => {
        const input = path();
        const { id, format } = await receiveImage(body, input);
        return queue.run(id, async () => {
          const existing = await images.findOne({ _id: id });
          // Another node may have deleted its bytes meanwhile.
          if (existing && (await objects.head(getObjectKey(id, existing)))) return existing;
          const output = path();
          const rendered = await renderer.run({ kind: "original", input, output, format });
          const image: ImageDocument = { _id: id, ...rendered, createdAt: new Date() };
          const key = getObjectKey(id, image);
          // The document comes last, when all bytes are stored. Another node may delete them before it does.
          do {
            await objects.put(key, readFileContent(output), { contentType: toMediaType(image.format) });
            await images.replaceOne({ _id: id }, image, { upsert: true });
          } while (!(await objects.head(key)));
          return image;
        });
      }),
    get: async (id: string) => {
      const image = await images.findOne({ _id: id });
      if (!image) throw notFound("Image", id);
      return image;
    },
    has: async (ids: string[]) => (await images.find({ _id: { $in: ids } })).map(({ _id }) => _id),
    /** @throws NOT_FOUND, after any remains are removed */
    remove: (id: string) =>
      queue.run(id, async () => {
        let removed = 0;
        let deletedCount = await images.deleteOne({ _id: id });
        // Another node may store it meanwhile.
        do {
          removed += deletedCount;
          await variants.deleteMany({ image: id });
          for await (const { key } of objects.list(getObjectPrefix(id))) await objects.delete(key);
          deletedCount = await images.deleteOne({ _id: id });
        } while (deletedCount > 0);
        if (removed === 0) throw notFound("Image", id);
      }),
  };
}
