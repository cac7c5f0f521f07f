import { Corrector, type CorrectorView } from "../../embedded-index/corrector.ts";
import type { Progress } from "../port.ts";
import { Columns, type ColumnsView } from "./columns.ts";
import { CompletionIndex, type CompletionIndexView } from "./completion-index.ts";
import { MachineIndex, type MachineIndexView } from "./machine-index.ts";
import { NumberIndex, type NumberIndexView } from "./number-index.ts";
import { WordIndex, type WordIndexView } from "./word-index.ts";

/** View of an index in shared memory at one moment. */
export interface IndexView {
  words: WordIndexView;
  columns: ColumnsView;
  completions: CompletionIndexView;
  corrector: CorrectorView;
  numbers: NumberIndexView;
  machines: MachineIndexView;
  /** Documents. */
  count: number;
  progress: Progress;
}

export type IndexMemory = ReturnType<typeof createMemory>;

/** @param previous of an earlier view of the same index */
export function createMemory(view?: IndexView, previous?: Columns) {
  const words = view ? WordIndex.of(view.words) : new WordIndex();
  return {
    words,
    columns: view ? Columns.of(view.columns, previous) : new Columns(),
    completions: view ? CompletionIndex.of(view.completions) : new CompletionIndex(),
    corrector: new Corrector(words, view?.corrector),
    numbers: view ? NumberIndex.of(view.numbers) : new NumberIndex(),
    machines: view ? MachineIndex.fromView(view.machines) : new MachineIndex(),
  };
}

export function createView(memory: IndexMemory) {
  return {
    words: memory.words.view(),
    columns: memory.columns.view(),
    completions: memory.completions.view(),
    corrector: memory.corrector.view(),
    numbers: memory.numbers.view(),
    machines: memory.machines.view(),
  };
}
