import type { CallOrigin } from "@partline/moleculer-kit";
import type { GuestStorage, InferRules, Rules } from "@partline/api-contracts";
import type { Fields } from "./fit.ts";

export interface ToolContext {
  /** Origin of calls: a guest, under the request's id. */
  origin: CallOrigin;
  storeUrl: string;
  /** Counts what the call makes us keep of a guest. @throws RATE_LIMITED */
  noteStorage(storage: GuestStorage): Promise<void>;
}

export interface Tool {
  name: string;
  title: string;
  /** For the model that chooses the tool. */
  description: string;
  params: Rules;
  readOnly: boolean;
  run(args: Record<string, unknown>, context: ToolContext): Promise<Fields>;
}

/** Keeps the types of a tool's arguments, which are checked before it runs. */
export function defineTool<const P extends Rules>(
  tool: Omit<Tool, "params" | "run"> & {
    params: P;
    run(args: InferRules<P>, context: ToolContext): Promise<Fields>;
  },
): Tool {
  return tool as unknown as Tool;
}

/** A copy without fields that say nothing. */
export function omitEmpty(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

export function toPartLink(storeUrl: string, slug: string): string {
  return `${storeUrl}/parts/${slug}`;
}
