/**
 * Returns a function that gives an array of at least so many values, those of its last use: an array for each search
 * would keep the garbage collector at work.
 */
export function reuseArray<T extends { length: number }>(make: (length: number) => T): (length: number) => T {
  let array = make(0);
  return (length) => {
    if (array.length < length) array = make(Math.ceil(length * 1.2));
    return array;
  };
}
