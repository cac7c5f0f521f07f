/** Typed arrays in memory that threads share: one thread fills them, the others read what it has given them. */

export type SharedArray =
  | Uint8Array<SharedArrayBuffer>
  | Uint16Array<SharedArrayBuffer>
  | Uint32Array<SharedArrayBuffer>
  | Int32Array<SharedArrayBuffer>
  | Float64Array<SharedArrayBuffer>;

const SMALLEST = 256;

export const createSharedBytes = (length = 0) => new Uint8Array(new SharedArrayBuffer(length));
export const createSharedUnits = (length = 0) => new Uint16Array(new SharedArrayBuffer(length * 2));
export const createSharedNumbers = (length = 0) => new Uint32Array(new SharedArrayBuffer(length * 4));
export const createSharedIntegers = (length = 0) => new Int32Array(new SharedArrayBuffer(length * 4));
export const createSharedDoubles = (length = 0) => new Float64Array(new SharedArrayBuffer(length * 8));

/** Returns the array, or a larger copy if it is shorter than `length`. Readers of the array keep what they have. */
export function withRoom<T extends SharedArray>(array: T, length: number): T {
  if (array.length >= length) return array;
  return copyArray(array, Math.max(SMALLEST, length, Math.ceil(array.length * 1.5)));
}

export function copyArray<T extends SharedArray>(array: T, length = array.length): T {
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => T;
  const copy = new Kind(new SharedArrayBuffer(length * array.BYTES_PER_ELEMENT));
  copy.set(array);
  return copy;
}
