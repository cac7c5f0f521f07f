import sharp, { type Sharp } from "sharp";

// One image on one core, no cache: other pages need the rest.
sharp.cache(false);
sharp.concurrency(1);

/** An image as pdf.js has it. `jpeg` in place of its pixels. */
export interface Pixels {
  width: number;
  height: number;
  kind?: number;
  /** In place of `kind`, of an image that is decoded. */
  channels?: 1 | 2 | 3 | 4;
  data?: Uint8Array | Uint8ClampedArray | null;
  bitmap?: unknown;
  jpeg?: Uint8Array;
}

/** Source: pdf.js ImageKind */
const CHANNELS: Readonly<Record<number, 3 | 4>> = { 2: 3, 3: 4 };
/** Of one bit. */
const BITS = 1;

/** Opens an image for sharp. */
export function openPixels({ width, height, kind = BITS, channels = CHANNELS[kind], data, jpeg }: Pixels): Sharp {
  if (jpeg) return sharp(jpeg, { failOn: "none" });
  const bytes = data ?? new Uint8Array();
  return sharp(channels ? bytes : unpackBits(bytes, width, height), {
    raw: { width, height, channels: channels ?? 1 },
    limitInputPixels: false,
  });
}

/** Decodes an image, made smaller if a side is longer than `longest`. A JPEG is decoded at about that size. */
export async function decodePixels(pixels: Pixels, longest: number): Promise<Pixels> {
  const { data, info } = await openPixels(pixels)
    .resize(longest, longest, { fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels as Pixels["channels"], data };
}

/** Frees the memory of pixels now: V8 waits until there is much to free, and then looks through all that is in use. */
export function freePixels(data: Pixels["data"]): void {
  if (data?.buffer instanceof ArrayBuffer) data.buffer.transfer(0);
}

/** From one bit a pixel, in rows of whole bytes, to one byte. */
export function unpackBits(bits: Uint8Array | Uint8ClampedArray, width: number, height: number): Uint8Array {
  const gray = new Uint8Array(width * height);
  const stride = (width + 7) >> 3;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      gray[y * width + x] = ((bits[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0;
  }
  return gray;
}
