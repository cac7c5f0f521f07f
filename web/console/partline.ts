import { createClient } from "@partline/client";

const { origin } = location;

/** The API under the console's own origin. The browser sends its session by cookie. */
export const partline = createClient({ baseUrl: origin, entryPoints: { catalog: origin, eventstore: origin } });
