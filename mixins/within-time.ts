/** Milliseconds after which a store, a transport or a node has not answered who asks how it is. */
export const LONGEST_LOOK = 2_000;

/**
 * What the work comes to, or what `late` answers or throws when the time is over. The work goes on; its late failure is
 * nobody's.
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
