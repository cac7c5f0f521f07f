import { ImageKind, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";
import type { Pixels } from "../pictures/pixels.ts";

/**
 * Without an ImageDecoder pdf.js decodes JPEGs in JavaScript, half of the time of a scanned page. Ours gives the file
 * back; sharp decodes it at the size that is needed. Source: pdf.js JpegStream.getTransferableImage
 */
let areKept = false;

class RawJpegs {
  readonly #data: Uint8Array;
  constructor({ data }: { data: Uint8Array }) {
    // To draw a page pdf.js needs the pixels: then it decodes them itself.
    if (!areKept) throw new Error("JPEGs are decoded");
    this.#data = data;
  }
  static isTypeSupported(type: string): Promise<boolean> {
    return Promise.resolve(type === "image/jpeg");
  }
  decode(): Promise<{ image: ArrayBuffer }> {
    return Promise.resolve({ image: this.#data.slice().buffer as ArrayBuffer });
  }
  close(): void {
    // Nothing is held.
  }
}
Object.assign(globalThis, { ImageDecoder: RawJpegs });

/** JPEGs that are met during the work stay as they are; all images of the page are there when it ends. */
export async function keepingJpegs<T>(
  page: PDFPageProxy,
  work: () => Promise<{ value: T; names: string[] }>,
): Promise<T> {
  areKept = true;
  try {
    const { value, names } = await work();
    for (const name of names) await imageNamed(page, name);
    return value;
  } finally {
    areKept = false;
  }
}

/** Null if it cannot be decoded. */
export function imageNamed(page: PDFPageProxy, name: string): Promise<Pixels | null> {
  const objects = name.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise(
    (resolve) =>
      void objects.get(name, (image: Pixels | null) => {
        // pdf.js would close a bitmap.
        if (image?.bitmap instanceof ArrayBuffer) {
          image.jpeg = new Uint8Array(image.bitmap);
          image.bitmap = null;
        }
        resolve(image);
      }),
  );
}

/** Gives pdf.js the pixels of images that it has kept for several pages, to draw them. */
export async function decodeShared(page: PDFPageProxy): Promise<void> {
  for (const [, image] of page.commonObjs as Iterable<[string, Pixels | null]>) {
    if (!image?.jpeg) continue;
    const { data, info } = await sharp(image.jpeg, { failOn: "none" })
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    Object.assign(image, { data: new Uint8Array(data), ...info, kind: ImageKind.RGB_24BPP, jpeg: undefined });
  }
}
