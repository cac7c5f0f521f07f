import type { ReactNode } from "react";
import type { Language } from "./language.ts";
import { localPath } from "./local-path.ts";

/** What the address of a sign-in page says: see gateway/http/web/sign-in.ts. */
export interface MailSignInQuery {
  /** The token of a link that was opened. */
  token?: string | undefined;
  /** A link was sent. */
  sent?: string | undefined;
  problem?: string | undefined;
  return?: string | undefined;
}

interface Texts {
  signIn: string;
  lead: string;
  email: string;
  send: string;
  sent: string;
  again: string;
  confirm: string;
  problems: Record<string, string>;
}

const TEXTS: Record<Language, Texts> = {
  en: {
    signIn: "Sign in",
    lead: "Enter your email address, and we'll send you a link that signs you in. You don't need a password.",
    email: "Email address",
    send: "Send the link",
    sent: "Check your mail: if the address is right, a link is on its way. It's valid for 15 minutes.",
    again: "Didn't get it? Send another",
    confirm: "Your link is ready. Continue to sign in.",
    problems: {
      address: "That isn't an email address.",
      mail: "We can't send mail right now. Try again in a moment.",
      link: "This link has expired or was used before. Request another.",
    },
  },
  de: {
    signIn: "Anmelden",
    lead: "Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link, der Sie anmeldet; ein Passwort brauchen Sie nicht.",
    email: "E-Mail-Adresse",
    send: "Link senden",
    sent: "Sehen Sie in Ihr Postfach: Wenn die Adresse stimmt, ist der Link unterwegs. Er gilt 15 Minuten.",
    again: "Nicht da? Neuen Link senden",
    confirm: "Ihr Link ist gültig. Fahren Sie fort, um sich anzumelden.",
    problems: {
      address: "Das ist keine E-Mail-Adresse.",
      mail: "Wir können gerade keine E-Mails senden. Versuchen Sie es gleich noch einmal.",
      link: "Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.",
    },
  },
  es: {
    signIn: "Iniciar sesión",
    lead: "Escriba su correo electrónico y le enviaremos un enlace para iniciar sesión. No necesita contraseña.",
    email: "Correo electrónico",
    send: "Enviar el enlace",
    sent: "Revise su correo: si la dirección es correcta, el enlace está en camino. Es válido durante 15 minutos.",
    again: "¿No le ha llegado? Envíe otro",
    confirm: "El enlace es válido. Continúe para iniciar sesión.",
    problems: {
      address: "Eso no es una dirección de correo.",
      mail: "Ahora no podemos enviar correo. Inténtelo de nuevo en un momento.",
      link: "Este enlace ha caducado o ya se ha usado. Solicite otro.",
    },
  },
};

export const getSignInTitle = (language: Language): string => TEXTS[language].signIn;

/**
 * Asks for an address, then says that a link was sent; or asks the person who opened the link to go on. Needs no
 * script.
 */
export function MailSignIn({ query, language }: { query: MailSignInQuery; language: Language }): ReactNode {
  const texts = TEXTS[language];
  const back = <input type="hidden" name="return" value={localPath(query.return ?? null)} />;
  if (query.token !== undefined)
    return (
      <form method="post" action="/session/confirm">
        <p>{texts.confirm}</p>
        <input type="hidden" name="token" value={query.token} />
        {back}
        <button className="button primary">{texts.signIn}</button>
      </form>
    );
  const problem =
    query.problem !== undefined && Object.hasOwn(texts.problems, query.problem)
      ? texts.problems[query.problem]
      : undefined;
  return (
    <>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <p role={query.sent === undefined ? undefined : "status"}>{query.sent === undefined ? texts.lead : texts.sent}</p>
      <form method="post" action="/session/mail" className="sign-in">
        <label>
          {texts.email}
          <input type="email" name="email" autoComplete="email" required maxLength={254} />
        </label>
        {back}
        <input type="hidden" name="language" value={language} />
        <button className={query.sent === undefined ? "button primary" : "button"}>
          {query.sent === undefined ? texts.send : texts.again}
        </button>
      </form>
    </>
  );
}
