import type { ReactNode } from "react";
import { toPicturePath } from "../../../../mixins/shop/shop-facts.ts";
import type { PageRequest } from "../shared/app.ts";
import type { Language } from "../shared/language.ts";
import { Mark } from "../shared/mark.tsx";
import { MailSignIn } from "../shared/mail-sign-in.tsx";
import type { Texts } from "./texts/en.ts";

interface GateProps {
  request: PageRequest;
  texts: Texts;
  language: Language;
}

/** Twice its size on the page, for sharp screens. */
const LOGO = { width: 480, height: 80 };

/** The page for users who are not staff, or not signed in yet. Works without a script. */
export function Gate({ request, texts, language }: GateProps): ReactNode {
  const { user, canSignIn, signsInByMail, path, query } = request;
  const hasFailed = path.startsWith("/sign-in-failed");
  // The provider's token is not accepted here.
  const isRefused = hasFailed && query.get("why") === "token";
  const back = hasFailed ? "/" : `${path}${query.size > 0 ? `?${query}` : ""}`;
  return (
    <main className="gate">
      {request.shop.logo === null ? <Mark /> : <img src={toPicturePath(request.shop.logo, LOGO)} alt="" height={40} />}
      <h1>{`${texts.title} · ${request.shop.shopName}`}</h1>
      {hasFailed && <p role="alert">{isRefused ? texts.gate.refused : texts.gate.failed}</p>}
      {user ? (
        <>
          <p>{texts.gate.notStaff(user.email ?? user.id)}</p>
          <form method="post" action="/session/sign-out">
            <button>{texts.gate.signOut}</button>
          </form>
        </>
      ) : isRefused ? null : signsInByMail ? (
        <MailSignIn query={path === "/sign-in" ? Object.fromEntries(query) : { return: back }} language={language} />
      ) : canSignIn ? (
        <a className="button" href={`/session/sign-in?return=${encodeURIComponent(back)}`}>
          {texts.gate.signIn}
        </a>
      ) : (
        <p>{texts.gate.cannot}</p>
      )}
    </main>
  );
}
