import { availableParallelism } from "node:os";

export interface Aim {
  what: string;
  figure: number;
  isMet: boolean;
  /** That it takes for what is compared not to wait for what is measured beside it. */
  processors: number;
}

/** @returns whether all are met that this machine has processors for */
export function printAims(aims: readonly Aim[]): boolean {
  const own = availableParallelism();
  console.log(`\nAims, with ${own} processors`);
  for (const { what, figure, isMet, processors } of aims) {
    const verdict = isMet
      ? "met"
      : own >= processors
        ? "MISSED"
        : `not met, and not judged with fewer than ${processors} processors`;
    console.log(`  ${what}: ${figure.toFixed(2)}, ${verdict}`);
  }
  return aims.every(({ isMet, processors }) => isMet || own < processors);
}
