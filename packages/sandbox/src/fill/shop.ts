import { setTimeout as delay } from "node:timers/promises";
import type { Readable } from "node:stream";
import { fillCatalog, fillMarkIn, markIn, type MarkedStore } from "../catalog/fill.ts";
import { FIRST_PICTURES, keepPictures } from "../catalog/pictures.ts";
import { createForm, createManualMarks, fillManuals } from "../manuals/manuals.ts";
import { type Screens, fillFirstScreens } from "./first-screens.ts";
import { waitUntilAnswered } from "./until-answered.ts";

/** Shop to fill, whose services may run elsewhere and start later. */
export interface ShopToFill extends Screens {
  /** Waits for a service. @throws when it does not come in `withinMs` */
  findService(name: string, withinMs: number): Promise<unknown>;
  countParts(): Promise<number>;
  importPrices(vendor: string, file: Readable): Promise<{ written: number; refusedTotal: number }>;
  /** Suppliers whose listings are synced; without `isSandbox`, the fill does not wait for the end of a sync. */
  listings: readonly { slug: string; isSandbox: boolean }[];
  startSync(slug: string): Promise<string>;
  readSync(syncId: string): Promise<{ isRunning: boolean; written: number }>;
  findPictures(ids: string[]): Promise<string[]>;
  putPicture(webp: Buffer): Promise<unknown>;
  countManuals(): Promise<number>;
  upload(form: { contentType: string; stream: Readable }): Promise<unknown>;
  warn(message: string, error: unknown): void;
  isStopping(): boolean;
}

/** Between two looks at a sync, ms. */
const SYNC_LOOK_MS = 50;
/** Longest wait for the pictures of the home page: the media service may be elsewhere and start later, ms. */
const FIRST_PICTURES_MS = 5_000;
/** Longest wait for a service of another process, which may wait for its engines, ms. */
const STARTS_MS = 180_000;

/**
 * Fills an empty catalog with what the suppliers have; sends pictures and manuals after that.
 * @returns the number of parts written @throws what the catalog's node, or the lack of one, says
 */
export async function fillShop(
  shop: ShopToFill,
  { store, imageUrlBase, hasDealer }: { store: MarkedStore; imageUrlBase: string; hasDealer: boolean },
): Promise<number> {
  /** Repeats an idempotent call until the service, in any process, answers. */
  const sendTo = async <T>(name: string, send: () => Promise<T>): Promise<T> => {
    await shop.findService(name, STARTS_MS);
    return waitUntilAnswered(send, {
      longestMs: STARTS_MS,
      onWait: (error) => shop.warn(`The service ${name} does not answer the sandbox yet, and is asked again`, error),
      isOver: () => shop.isStopping(),
    });
  };

  const sendLater = async (service: string, what: string, send: () => Promise<unknown>): Promise<void> => {
    try {
      await sendTo(service, send);
    } catch (error) {
      if (!shop.isStopping())
        shop.warn(`${what} could not be sent to the ${service} service; the next start tries again`, error);
    }
  };

  /** Waits for the sync of a sandbox only: that of a real supplier may take long. */
  const syncListing = async ({ slug, isSandbox }: ShopToFill["listings"][number]): Promise<number> => {
    const syncId = await shop.startSync(slug);
    for (;;) {
      const sync = await shop.readSync(syncId);
      if (!sync.isRunning || !isSandbox) return sync.written;
      await delay(SYNC_LOOK_MS);
    }
  };

  const picturesMark = markIn(store, "pictures-sandbox-sending");
  const sendPictures = (names?: readonly string[]): Promise<unknown> =>
    keepPictures(
      {
        has: (ids) => shop.findPictures(ids),
        put: async ({ webp }) => {
          // Otherwise a stop would wait for one after another.
          if (shop.isStopping()) throw new Error("The process stops");
          await shop.putPicture(webp);
        },
      },
      names,
    );
  const sendAllPictures = async (): Promise<void> => {
    await sendPictures();
    await picturesMark.clear();
  };

  const sendManuals = () =>
    fillManuals(
      {
        isEmpty: async () => (await shop.countManuals()) === 0,
        upload: (name, pdf) => shop.upload(createForm(name, pdf)),
      },
      createManualMarks(store),
    );

  const partCount = await sendTo("catalog", () =>
    fillCatalog(
      {
        isEmpty: async () => {
          const isEmpty = (await shop.countParts()) === 0;
          if (isEmpty) await picturesMark.set();
          return isEmpty;
        },
        import: (vendor, file) => shop.importPrices(vendor, file),
        syncListings: async () =>
          (await Promise.all(shop.listings.map(syncListing))).reduce((sum, parts) => sum + parts, 0),
      },
      { imageUrlBase, mark: fillMarkIn(store) },
    ),
  );
  if (partCount > 0) {
    await shop
      .refreshSearch()
      .catch((error: unknown) =>
        shop.warn("Search finds the sandbox's parts later, as it could not be asked to take them in", error),
      );
  }
  // Before the start is ready, so that no price changes that a shopper has seen. A real dealer does not know
  // these parts.
  if (partCount > 0 && hasDealer) {
    await fillFirstScreens(shop).catch((error: unknown) =>
      shop.warn("The dealer could not be asked about the first parts that are shown", error),
    );
  }
  if (await picturesMark.isSet()) {
    const sendToMedia = (send: () => Promise<unknown>): Promise<void> =>
      sendLater("media", "The pictures of the sandbox's parts", send);
    // A newcomer opens the home page as soon as the start is ready. The others take several times as long.
    const sendingFirst = sendToMedia(() => sendPictures(FIRST_PICTURES));
    await Promise.race([sendingFirst, delay(FIRST_PICTURES_MS, undefined, { ref: false })]);
    void sendingFirst.then(() => sendToMedia(sendAllPictures));
  }
  void sendLater("pipeline", "The sandbox's manuals", sendManuals);
  return partCount;
}
