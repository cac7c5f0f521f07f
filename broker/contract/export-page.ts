import { type Infer, object, rules, string } from "./rules.ts";

/** `next` is the position of the next piece. */
export const exportPageRule = object({
  type: string({ description: "Content-Type of the whole answer" }),
  name: string({ description: "Of the file, for the client" }),
  text: string(),
  next: string({ nullable: true }),
});
export type ExportPage = Infer<typeof exportPageRule>;

/** The gateway sends the `next` of the page before. */
export const exportPageParams = rules({ position: string({ max: 2_000, optional: true }) });
