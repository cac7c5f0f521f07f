import type { ReactNode } from "react";
import type { PageRequest } from "../shared/app.ts";
import type { Texts } from "./texts/en.ts";

/** For whoever is not staff, or not known yet. Works without a script. */
export function Gate({ request, texts }: { request: PageRequest; texts: Texts }): ReactNode {
  const { user, canSignIn, path, query, shopName } = request;
  const back = path.startsWith("/sign-in-failed") ? "/" : `${path}${query.size > 0 ? `?${query}` : ""}`;
  return (
    <main className="gate">
      <h1>{`${texts.title} · ${shopName}`}</h1>
      {path.startsWith("/sign-in-failed") && <p role="alert">{texts.gate.failed}</p>}
      {user ? (
        <>
          <p>{texts.gate.notStaff(user.email ?? user.id)}</p>
          <form method="post" action="/session/sign-out">
            <button>{texts.gate.signOut}</button>
          </form>
        </>
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
