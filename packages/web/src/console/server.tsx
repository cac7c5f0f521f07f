import type { PageAnswer, PageRequest } from "../shared/app.ts";
import { renderDocument } from "../shared/document.tsx";
import { chooseLanguage } from "../shared/language.ts";
import { Gate } from "./gate.tsx";
import type { ConsoleData } from "./page-data.ts";
import { TEXTS } from "./texts.ts";

/** Every address is the console's: the browser draws its pages. Who is not staff gets a page that says so. */
export async function answer(request: PageRequest): Promise<PageAnswer> {
  const { user, styleNonce, shipTo } = request;
  const { shopName, timeZone, favicon, logo, colours } = request.shop;
  const shop = { shopName, logo, primary: colours.primary };
  const language = chooseLanguage(request.cookies.language, request.acceptLanguage);
  const texts = TEXTS[language];
  const isStaff = user !== undefined && user.scopes.length > 0;
  const body = renderDocument({
    language,
    theme: undefined,
    favicon,
    head: { title: `${texts.title} · ${shopName}` },
    assets: request.assets,
    data: isStaff ? ({ user, ...shop, timeZone, shipTo, styleNonce } satisfies ConsoleData) : null,
    content: isStaff ? (
      <p className="gate">{texts.loading}</p>
    ) : (
      <Gate request={request} texts={texts} language={language} />
    ),
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
