import type { PageUser } from "../shared/app.ts";

/** What the server gives the browser. */
export interface ConsoleData {
  user: PageUser;
  shopName: string;
  /** Id of an image. */
  logo: string | null;
  /** The shop's colour. */
  primary: string | null;
  /** Whose days lists and figures have. */
  timeZone: string;
  /** Countries that are shipped to, ISO 3166; at least one. */
  shipTo: readonly string[];
  styleNonce: string;
}
