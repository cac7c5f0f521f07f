import { type Infer, object, rules, string } from "@partline/api-contracts";

/** A piece of an answer in `pages`; `next` is the position of the next piece. */
export const exportPageRule = object({
  type: string({ description: "Content-Type of the whole answer" }),
  name: string({ description: "Of the file, for the client" }),
  text: string(),
  next: string({ nullable: true }),
});
export type ExportPage = Infer<typeof exportPageRule>;

/** Params of an action that answers in `pages`; the gateway sends `next` of the previous page. */
export const exportPageParams = rules({ position: string({ max: 2_000, optional: true }) });
