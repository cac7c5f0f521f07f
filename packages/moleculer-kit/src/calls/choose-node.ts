import { RoundRobin } from "../internals.ts";
import { getFailureDetector } from "./failure-detector.ts";

/** Round robin over the nodes that answer; over all if none does. */
export class ChooseNode extends RoundRobin {
  override select(list: { id: string }[]): { id: string } {
    const { suspects } = getFailureDetector(this.broker);
    if (suspects.size === 0) return super.select(list);
    const answering = list.filter(({ id }) => !suspects.has(id));
    return super.select(answering.length > 0 ? answering : list);
  }
}
