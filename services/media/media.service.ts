import { join } from "node:path";
import type { Readable } from "node:stream";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { answerFile, type FileAnswer } from "../../broker/contract/file.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { linkBase } from "../../broker/settings/addresses.ts";
import { invalidField, notFound, PartlineError, tooMany } from "../../mixins/errors.ts";
import { hasObjectStoreCode, openObjectStore, readObject } from "@partline/durable";
import { KeyedQueue, openWorkFiles } from "@partline/toolkit";
import { call, implement } from "../contracts.ts";
import { getObjectKey, type KeptFile } from "./collections.ts";
import { mediaContract } from "./contract.ts";
import { createImages, type Images, type MediaStores } from "./images.ts";
import { createPhotos } from "./photos.ts";
import { toMediaType, MOST_OF_CLIENT, MOST_OF_IMAGE, RENDER_WITHIN_MS, RENDERERS } from "./limits.ts";
import { createRenderer } from "./rendering/renderer.ts";
import { resolveVariant, type Variant } from "./variant.ts";
import { createVariants, type Variants } from "./variants.ts";

/** The content of an id or a variant never changes. */
const CACHE_CONTROL = "public, max-age=31536000, immutable";

export default function mediaService(broker: ServiceBroker): ServiceSchema {
  const { documents, settings } = getServiceRuntime(broker);
  const { logger } = broker;
  const base = linkBase(settings, "media");
  let opened:
    { stores: MediaStores; images: Images; variants: Variants; photos: ReturnType<typeof createPhotos> } | undefined;
  const use = () => {
    if (!opened) throw new PartlineError("SERVICE_UNAVAILABLE", "The object store is not open yet");
    return opened;
  };

  const clientQueue = new KeyedQueue(MOST_OF_CLIENT, () => tooMany(MOST_OF_CLIENT));
  const imageQueue = new KeyedQueue(MOST_OF_IMAGE, () => tooMany(MOST_OF_IMAGE));
  const make = (client: string | undefined, id: string, variant: Variant): Promise<KeptFile> => {
    // The first client may give up while others wait.
    const next = (): Promise<KeptFile> => call(broker, "media.makeVariant", { id, ...variant });
    // An image has one place at a time in its client's queue: its other sizes hold up no other image.
    return imageQueue.run(id, () => (client === undefined ? next() : clientQueue.run(client, next)));
  };

  return implement(mediaContract, {
    actions: {
      put: async (ctx) => {
        const { _id: id, format, width, height, bytes } = await use().images.put(ctx.stream as Readable | undefined);
        return { id, url: `${base}/api/media/${id}`, type: toMediaType(format), width, height, bytes };
      },
      get: async ({ params, meta: { client } }) => {
        const { stores, images, variants } = use();
        const { id, file, ...request } = params;
        const image = await images.get(id);
        const variant = resolveVariant(image, request, file.accept);
        const answer = async (): Promise<FileAnswer> => {
          const storedFile = variant ? await variants.findOrMake(id, variant, () => make(client, id, variant)) : image;
          const vary = request.format === "auto" ? "Accept" : undefined;
          const facts = {
            type: toMediaType(storedFile.format),
            etag: `"${storedFile.sha256}"`,
            bytes: storedFile.bytes,
            cacheControl: CACHE_CONTROL,
            vary,
          };
          return answerFile(file, facts, (from, to) =>
            readObject(stores.objects, getObjectKey(id, storedFile), { from, to }),
          );
        };
        try {
          return await answer();
        } catch (error) {
          if (!hasObjectStoreCode(error, "NOT_FOUND")) throw error;
          // Its bytes are gone; a variant can be made again.
          if (!variant) throw notFound("Image", id);
          await variants.forget(id, variant);
          return answer();
        }
      },
      remove: async (ctx) => {
        const setting = (["logo", "favicon"] as const).find((name) => settings.shop[name] === ctx.params.id);
        if (setting) throw invalidField("id", `is the image of the setting '${setting}': change that first`);
        await use().images.remove(ctx.params.id);
        return { deleted: true };
      },
      makeVariant: async (ctx) => {
        const { id, ...variant } = ctx.params;
        const { format, bytes, sha256 } = await use().variants.make(id, variant);
        return { format, bytes, sha256 };
      },
      has: async (ctx) => ({ ids: await use().images.has(ctx.params.ids) }),
      putPhoto: async (ctx) => ({
        id: await use().photos.put(ctx.params.orderId, ctx.stream as Readable | undefined),
      }),
      removePhoto: async ({ params: { orderId, photoId } }) => {
        await use().photos.remove(orderId, photoId);
        return {};
      },
      getPhoto: ({ params: { orderId, photoId, file } }) => use().photos.get(orderId, photoId, file),
      ready: async () => {
        await use().stores.objects.ping();
        return {};
      },
    },
    channels: {
      "order.erased": { group: "media", handler: ({ payload }) => use().photos.removeAll(payload.orderId) },
    },
    started: async () => {
      const stores: MediaStores = {
        documents,
        objects: await openObjectStore({ s3: settings.s3, dataDir: settings.dataDir }),
        renderer: createRenderer({ processes: RENDERERS, withinMs: RENDER_WITHIN_MS }),
        files: await openWorkFiles(join(settings.dataDir, "media-work")),
      };
      const images = createImages(stores);
      const onUnnoted = (error: unknown): void => logger.debug("The use of a variant could not be noted", error);
      opened = { stores, images, variants: createVariants(stores, images, onUnnoted), photos: createPhotos(stores) };
    },
    stopped: async () => {
      opened?.stores.renderer.close();
      await opened?.stores.files.close();
      opened?.stores.objects.close();
      opened = undefined;
    },
  });
}
