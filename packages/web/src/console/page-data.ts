import type { PageUser } from "../shared/app.ts";

/** What the server gives the browser. */
export interface ConsoleData {
  user: PageUser;
  shopName: string;
  /** Whose days lists and figures have. */
  timeZone: string;
  styleNonce: string;
}
