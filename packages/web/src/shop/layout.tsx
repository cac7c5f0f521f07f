import { type ReactNode, Suspense } from "react";
import { toPicturePath } from "../../../../mixins/shop/shop-facts.ts";
import { keepChoice } from "../shared/cookies.ts";
import { fill, LANGUAGES } from "../shared/language.ts";
import { Mark } from "../shared/mark.tsx";
import { CartLink } from "./cart-drawer.tsx";
import { type Shop, useShop } from "./context.tsx";
import { DeskLink } from "./desk/desk-link.tsx";
import { forgetTalks } from "./desk/kept-talk.ts";
import type { DeskSubject } from "./desk/subject.ts";
import { EarlyInputs } from "./early-inputs.tsx";
import { Icon } from "./kit/icon.tsx";
import { CLOCK, PERSON, PHONE, RETURN } from "./kit/icons/ui.ts";
import { Lines } from "./parts/lines.tsx";
import { SearchField } from "./search-field.tsx";

interface LayoutProps {
  /** What was searched for. */
  query?: string | undefined;
  /** The page has the field itself. */
  hasOwnSearch?: boolean;
  /** What the desk is asked about here. */
  subject?: DeskSubject | undefined;
  children: ReactNode;
}

/** Twice its size on the page, for sharp screens. */
export const LOGO = { width: 480, height: 80 };

/** What is around every page. */
export function Layout({ query, hasOwnSearch = false, subject, children }: LayoutProps): ReactNode {
  const { texts, shopName } = useShop();
  return (
    <>
      <a href="#content" className="skip">
        {texts.skip}
      </a>
      <header className="no-print">
        <Strip />
        <div className="head">
          <a href="/" className="brand">
            <Brand />
          </a>
          {!hasOwnSearch && <SearchField query={query ?? ""} />}
          <nav aria-label={shopName}>
            <DeskLink subject={subject} />
            <AccountLink />
            <CartLink />
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Suspense>
          {children}
          <EarlyInputs />
        </Suspense>
      </main>
      <Suspense>
        <footer className="no-print">
          <div className="foot">
            <Contact />
            <nav aria-label={texts.shop}>
              <h2>{texts.shop}</h2>
              <a href="/search">{texts.allParts}</a>
              <a href="/machines">{texts.machines}</a>
              <a href="/desk">{texts.desk}</a>
            </nav>
            <Help />
            <AccountLinks />
          </div>
          <div className="choices">
            <Choices />
          </div>
        </footer>
      </Suspense>
    </>
  );
}

/** The shop as it signs: its logo, or the mark and its name. */
export function Brand(): ReactNode {
  const { shopName, logo } = useShop();
  if (logo !== null) return <img src={toPicturePath(logo, LOGO)} alt={shopName} height={40} />;
  return (
    <>
      <Mark />
      {shopName}
    </>
  );
}

/** Links by which the shop is reached. */
export function listReach({ phone, email }: Pick<Shop["facts"], "phone" | "email">): ReactNode[] {
  return [
    ...(phone === null ? [] : [<a href={toPhoneAddress(phone)}>{phone}</a>]),
    ...(email === null ? [] : [<a href={`mailto:${email}`}>{email}</a>]),
  ];
}

/** The address that dials a number; an extension is left out. */
export function toPhoneAddress(phone: string): string {
  return `tel:${phone.replace(/x.*/, "").replaceAll(/[^+\d]/g, "")}`;
}

/** What a shopper wants to know before they trust a shop: above everything, in one line. */
function Strip(): ReactNode {
  const { texts, facts, policies } = useShop();
  const { phone, openingHours, returns } = facts;
  const returnsText = fill(texts.returnsIn, { days: returns.days });
  return (
    <div className="strip">
      {phone !== null && (
        <a href={toPhoneAddress(phone)}>
          <Icon path={PHONE} size="small" />
          {phone}
        </a>
      )}
      {openingHours.length > 0 && (
        <span className="strip-more">
          <Icon path={CLOCK} size="small" />
          {openingHours[0]}
        </span>
      )}
      {returns.days > 0 && (
        <span className="strip-end">
          <Icon path={RETURN} size="small" />
          {policies.includes("returns") ? <a href="/policies/returns">{returnsText}</a> : returnsText}
        </span>
      )}
    </div>
  );
}

/** Who the shop is and how to reach it; its name alone as long as it says no more. */
function Contact(): ReactNode {
  const { texts, shopName, logo, facts } = useShop();
  const { legalName, address, openingHours, taxIds } = facts;
  return (
    <>
      <div className="foot-shop">
        <h2>
          {logo === null && <Mark />}
          {legalName ?? shopName}
        </h2>
        <address>
          <Lines of={[...address, ...listReach(facts), ...taxIds]} />
        </address>
      </div>
      {openingHours.length > 0 && (
        <div>
          <h2>{texts.openingHours}</h2>
          <Lines of={openingHours} />
        </div>
      )}
    </>
  );
}

/** Where a shopper looks for help. */
function Help(): ReactNode {
  const { texts, policies } = useShop();
  return (
    <nav aria-label={texts.help}>
      <h2>{texts.help}</h2>
      <a href="/orders/find">{texts.findOrder}</a>
      {policies.map((name) => (
        <a key={name} href={`/policies/${name}`}>
          {texts[`policy_${name}`]}
        </a>
      ))}
    </nav>
  );
}

function AccountLink(): ReactNode {
  const { texts, user, canSignIn, address } = useShop();
  if (!user && !canSignIn) return null;
  return (
    <a href={user ? "/account" : `/session/sign-in?return=${encodeURIComponent(address)}`} className="act">
      <Icon path={PERSON} />
      <span>{user ? texts.account : texts.signIn}</span>
    </a>
  );
}

/** What a signed-in shopper has. */
function AccountLinks(): ReactNode {
  const { texts, user } = useShop();
  if (!user) return null;
  return (
    <nav aria-label={texts.account}>
      <h2>{texts.account}</h2>
      <a href="/orders">{texts.orders}</a>
      <form method="post" action="/session/sign-out" onSubmit={forgetTalks}>
        <button className="plain" title={fill(texts.signedInAs, { name: user.email ?? user.id })}>
          {texts.signOut}
        </button>
      </form>
    </nav>
  );
}

function Choices(): ReactNode {
  const { texts, language, theme } = useShop();
  const choose = (name: "language" | "theme", value: string): void => {
    keepChoice(name, value);
    location.reload();
  };
  return (
    <>
      <label>
        {texts.language}{" "}
        <select value={language} autoComplete="off" onChange={(event) => choose("language", event.target.value)}>
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.theme}{" "}
        <select value={theme ?? "system"} autoComplete="off" onChange={(event) => choose("theme", event.target.value)}>
          <option value="system">{texts.themeSystem}</option>
          <option value="light">{texts.themeLight}</option>
          <option value="dark">{texts.themeDark}</option>
        </select>
      </label>
    </>
  );
}
