import type { PageAnswer, PageRequest } from "../shared/app.ts";
import { renderDocument } from "../shared/document.tsx";
import { Gate } from "./gate.tsx";
import type { ConsoleData } from "./page-data.ts";
import { en } from "./texts/en.ts";

/** Every address is the console's: the browser draws its pages. Who is not staff gets a page that says so. */
// eslint-disable-next-line @typescript-eslint/require-await -- every app answers with a promise
export async function answer(request: PageRequest): Promise<PageAnswer> {
  const { user, shopName, styleNonce } = request;
  const isStaff = user !== undefined && user.scopes.length > 0;
  const body = renderDocument({
    language: "en",
    theme: undefined,
    head: { title: `${en.title} · ${shopName}` },
    assets: request.assets,
    data: isStaff ? ({ user, shopName, styleNonce } satisfies ConsoleData) : null,
    content: isStaff ? <p className="gate">{en.loading}</p> : <Gate request={request} />,
  });
  return {
    status: isStaff ? 200 : user ? 403 : 401,
    type: "text/html; charset=utf-8",
    body,
    // Each answer has a nonce of its own.
    headers: { "Cache-Control": "no-store" },
    label: "(console)",
  };
}
