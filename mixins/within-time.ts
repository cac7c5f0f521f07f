/** Longest wait for a store, a transport or a node to say how it is, milliseconds. */
export const LONGEST_LOOK = 2_000;

/**
 * Returns the work's result, or what `late` returns or throws when the time is over. The work goes on; its late failure
 * is ignored.
 */
export async function withinTime<T, L>(work: Promise<T>, milliseconds: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<"over">((resolve) => {
    timer = setTimeout(() => resolve("over"), Math.max(0, milliseconds));
  });
  const done = work.then((value) => ({ value }));
  const first = await Promise.race([done, over]).finally(() => clearTimeout(timer));
  return first === "over" ? late() : first.value;
}
