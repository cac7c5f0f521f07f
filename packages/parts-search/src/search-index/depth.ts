/** Deepest hit that can be asked for: `page` times `limit`. */
export const MAX_DEPTH = 10_000;

/** Pages of this size that can be asked for. */
export function countPages(total: number, pageSize: number): number {
  return Math.min(Math.ceil(total / pageSize), Math.floor(MAX_DEPTH / pageSize));
}
