/** A rectangle on a page, in points, as seen, from the top left. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
