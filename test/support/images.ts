import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import sharp from "sharp";

/** Images to send: made here, so that a test knows what is in them. */

/** A picture of four colours, one a quarter: red, green / blue, white. */
export function quarters(width: number, height: number): ReturnType<typeof sharp> {
  const colours = [
    [220, 30, 30],
    [30, 200, 30],
    [30, 30, 220],
    [250, 250, 250],
  ] as const;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      pixels.set(colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]!, (y * width + x) * 3);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** The colour at a place, as one of the quarters' names. */
export async function colourAt(
  image: Buffer,
  x: number,
  y: number,
): Promise<"red" | "green" | "blue" | "white" | "other"> {
  const [r = 0, g = 0, b = 0] = await sharp(image)
    .extract({ left: x, top: y, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  if (r > 200 && g > 200 && b > 200) return "white";
  if (r > 150 && g < 100 && b < 100) return "red";
  if (g > 130 && r < 100 && b < 100) return "green";
  return b > 150 && r < 100 && g < 100 ? "blue" : "other";
}

/** A JPEG that lies on its side and says so, with a place, a name and a comment in it. */
export function jpegOnItsSide(): Promise<Buffer> {
  return quarters(200, 100)
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Artist: "Jane Roe", Copyright: "secret-owner" },
      IFD3: { GPSLatitude: "51/1 30/1 0/1", GPSLongitude: "0/1 7/1 0/1" },
    })
    .jpeg()
    .toBuffer();
}

/** Three frames of 40 by 30. */
export function animation(): Promise<Buffer> {
  const frames = Buffer.concat([255, 0, 128].map((grey) => Buffer.alloc(40 * 30 * 3, grey)));
  return sharp(frames, { raw: { width: 40, height: 90, channels: 3, pageHeight: 30 } })
    .gif({ delay: [100, 200, 300] })
    .toBuffer();
}

/** A GIF of one frame, with that frame so many times. */
export function repeatedFrames(gif: Buffer, times: number): Buffer {
  const colours = gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0;
  const head = gif.subarray(0, 13 + colours);
  return Buffer.concat([head, ...Array.from({ length: times }, () => gif.subarray(head.length, -1)), gif.subarray(-1)]);
}

/** A PNG of a few kilobytes that unpacks to as many pixels as it says. */
export async function pngBomb(width: number, height: number): Promise<Buffer> {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = await promisify(deflate)(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
