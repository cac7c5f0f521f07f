import { crc32, deflateSync } from "node:zlib";

export interface PalettePicture {
  width: number;
  height: number;
  /** An index of the palette for each pixel, row by row. */
  pixels: Uint8Array;
  /** Red, green and blue; at most 256 of them. */
  palette: readonly (readonly [number, number, number])[];
}

/** A PNG (ISO/IEC 15948) with a palette of eight bits. */
export function encodePng({ width, height, pixels, palette }: PalettePicture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits, a palette; the only compression and filter there are; no interlace.
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
