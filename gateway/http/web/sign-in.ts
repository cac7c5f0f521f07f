import { errorCode } from "../../../mixins/errors.ts";
import { LANGUAGES, type Language } from "../../../mixins/shop/languages.ts";
import { localPath } from "@partline/web";
import { type Payload, readBody, getExchange, type EdgeRequest } from "@partline/http-edge";
import type { PageEntry } from "../pages.ts";
import { toHttpError } from "../errors.ts";
import { readCookies, type BrowserSession } from "./browser-session.ts";
import type { IdentityProvider, SignInAttempt } from "./identity-provider.ts";

export const CALLBACK_PATH = "/session/callback";
const FAILED_PATH = "/sign-in-failed";
/** Of the app's own page, where a link of a mail leads. */
const SIGN_IN_PATH = "/sign-in";
/** Signing in again would not help. */
const REFUSED_PATH = `${FAILED_PATH}?why=token`;
/** Browsers drop a longer cookie; bytes. */
const LONGEST_COOKIE = 4_096;

/** Sign-in by a link that is sent to an address. */
export interface MailSignIn {
  /** @throws VALIDATION_FAILED, SERVICE_UNAVAILABLE */
  requestLink(request: { email: string; back: string; language: Language | undefined }): Promise<void>;
  /** Returns the session's token. @throws UNAUTHORIZED */
  redeemLink(linkToken: string): Promise<string>;
}

interface SignInDeps {
  session: BrowserSession;
  /** Undefined: nobody signs in by a page. */
  provider: IdentityProvider | MailSignIn | undefined;
  /** Verifies a token as each page does. @throws UNAUTHORIZED */
  verify(token: string): Promise<unknown>;
  warn(message: string): void;
}

/** A browser's way to a session and out. */
export function createSignInPages({ session, provider, verify, warn }: SignInDeps): PageEntry[] {
  const onFailed = (error: unknown, back: string): Payload => {
    // Neither codes nor tokens are in these messages.
    warn(`A sign-in failed: ${error instanceof Error ? error.message : String(error)}`);
    const retryPath = back === "/" ? FAILED_PATH : `${FAILED_PATH}?return=${encodeURIComponent(back)}`;
    return redirect(error instanceof RefusedToken ? REFUSED_PATH : retryPath, [session.signIn.forget()]);
  };
  /** A page that needs a user would send the browser back to the provider, without end. */
  const keepToken = async (token: string): Promise<string> => {
    try {
      await verify(token);
    } catch (error) {
      if (errorCode(error) === "UNAUTHORIZED") throw new RefusedToken((error as Error).message);
      throw error;
    }
    const cookie = session.keepToken(token);
    if (cookie.length > LONGEST_COOKIE) throw new RefusedToken("The token is too long for a cookie");
    return cookie;
  };
  /** @param answer notes the page to come back to, for another attempt too */
  const page = (path: string, answer: (req: EdgeRequest, to: { back: string }) => Promise<Payload>): PageEntry => [
    path,
    {
      answer: (req) => {
        const to = { back: "/" };
        return answer(req, to).catch((error: unknown) => onFailed(error, to.back));
      },
    },
  ];
  const out: PageEntry = [
    "/session/sign-out",
    {
      posted: true,
      answer: (req) => {
        session.refuseForeign(req);
        // The next person at this browser is another guest.
        return redirect("/", [session.forgetToken(), session.forgetGuest()], 303);
      },
    },
  ];
  if (!provider) return [out];
  if ("redeemLink" in provider) return [out, ...createMailPages({ session, provider, keepToken, warn })];
  return [
    out,
    page("/session/sign-in", async (req, to) => {
      to.back = localPath(new URLSearchParams(getExchange(req).query).get("return"));
      const { url, attempt } = await provider.begin();
      const createCookie = (back: string): string => session.signIn.keep(JSON.stringify({ ...attempt, back }));
      const cookie = createCookie(to.back);
      return redirect(url.href, [cookie.length > LONGEST_COOKIE ? createCookie("/") : cookie]);
    }),
    page(CALLBACK_PATH, async (req, to) => {
      const storedAttempt = session.signIn.read(readCookies(req));
      if (storedAttempt === undefined) throw new Error("the browser does not know of it");
      const { back, ...attempt } = JSON.parse(storedAttempt) as SignInAttempt & { back: string };
      to.back = localPath(back);
      const token = await provider.end(new URLSearchParams(getExchange(req).query), attempt);
      return redirect(to.back, [await keepToken(token), session.signIn.forget()]);
    }),
  ];
}

interface MailPageDeps extends Pick<SignInDeps, "session" | "warn"> {
  provider: MailSignIn;
  keepToken(token: string): Promise<string>;
}

/** Longest form of a sign-in page, bytes. */
const FORM_LIMITS = { bytes: 10_000, milliseconds: 10_000 };

/**
 * Creates what the page `/sign-in` posts to. The page asks for the address, says that a link was sent, and asks the
 * person who opens the link to confirm it: a mail server that opens links uses none up.
 */
function createMailPages({ session, provider, keepToken, warn }: MailPageDeps): PageEntry[] {
  const toSignIn = (params: Record<string, string>, status?: 303): Payload =>
    redirect(`${SIGN_IN_PATH}?${new URLSearchParams(params).toString()}`, [], status);
  const post = (path: string, answer: (form: URLSearchParams, back: string) => Promise<Payload>): PageEntry => [
    path,
    {
      posted: true,
      answer: async (req) => {
        session.refuseForeign(req);
        const form = new URLSearchParams((await readBody(req, FORM_LIMITS)).toString());
        return answer(form, localPath(form.get("return")));
      },
    },
  ];
  return [
    [
      "/session/sign-in",
      {
        answer: (req) => {
          const back = localPath(new URLSearchParams(getExchange(req).query).get("return"));
          return toSignIn({ return: back });
        },
      },
    ],
    post("/session/mail", async (form, back) => {
      try {
        const language = LANGUAGES.find((tag) => tag === form.get("language"));
        await provider.requestLink({ email: form.get("email") ?? "", back, language });
      } catch (error) {
        const isWrong = toHttpError(error, "user.requestSignIn").code === "VALIDATION_FAILED";
        if (!isWrong) warn(`A sign-in link was not sent: ${error instanceof Error ? error.message : String(error)}`);
        return toSignIn({ return: back, problem: isWrong ? "address" : "mail" }, 303);
      }
      return toSignIn({ return: back, sent: "1" }, 303);
    }),
    post("/session/confirm", async (form, back) => {
      try {
        return redirect(back, [await keepToken(await provider.redeemLink(form.get("token") ?? ""))], 303);
      } catch (error) {
        const { code } = toHttpError(error, "user.redeemSignIn");
        if (code !== "UNAUTHORIZED" && code !== "VALIDATION_FAILED") throw error;
        return toSignIn({ return: back, problem: "link" }, 303);
      }
    }),
  ];
}

/** A token that is not accepted here: a fault of the settings. */
class RefusedToken extends Error {}

function redirect(location: string, cookies: string[], status: 302 | 303 = 302): Payload {
  return {
    status,
    type: "text/plain; charset=utf-8",
    body: "",
    headers: { Location: location, "Set-Cookie": cookies, "Referrer-Policy": "no-referrer" },
  };
}
