import type { ReactNode } from "react";
import type { PageRequest } from "../shared/app.ts";
import { en } from "./texts/en.ts";

/** For whoever is not staff, or not known yet. Works without a script. */
export function Gate({ request }: { request: PageRequest }): ReactNode {
  const { user, canSignIn, path, query, shopName } = request;
  const back = path.startsWith("/sign-in-failed") ? "/" : `${path}${query.size > 0 ? `?${query}` : ""}`;
  return (
    <main className="gate">
      <h1>{`${en.title} · ${shopName}`}</h1>
      {path.startsWith("/sign-in-failed") && <p role="alert">{en.gate.failed}</p>}
      {user ? (
        <>
          <p>{en.gate.notStaff(user.email ?? user.id)}</p>
          <form method="post" action="/session/sign-out">
            <button>{en.gate.signOut}</button>
          </form>
        </>
      ) : canSignIn ? (
        <a className="button" href={`/session/sign-in?return=${encodeURIComponent(back)}`}>
          {en.gate.signIn}
        </a>
      ) : (
        <p>{en.gate.cannot}</p>
      )}
    </main>
  );
}
