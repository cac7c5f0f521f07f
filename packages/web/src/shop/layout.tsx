import type { ReactNode } from "react";
import { toPicturePath } from "../../../../mixins/shop/shop-facts.ts";
import { keepChoice } from "../shared/cookies.ts";
import { fill, LANGUAGES } from "../shared/language.ts";
import { useCart } from "./cart-store.ts";
import { type Shop, useShop } from "./context.tsx";
import { forgetTalks } from "./desk/kept-talk.ts";
import { Lines } from "./parts/lines.tsx";
import { SearchField } from "./search-field.tsx";

interface LayoutProps {
  /** What was searched for. */
  query?: string | undefined;
  /** The page has the field itself. */
  hasOwnSearch?: boolean;
  children: ReactNode;
}

/** Twice its size on the page, for sharp screens. */
const LOGO = { width: 480, height: 80 };

/** What is around every page. */
export function Layout({ query, hasOwnSearch = false, children }: LayoutProps): ReactNode {
  const { texts, shopName, logo } = useShop();
  return (
    <>
      <a href="#content" className="skip">
        {texts.skip}
      </a>
      <header className="top no-print">
        <a href="/" className="brand">
          {logo === null ? shopName : <img src={toPicturePath(logo, LOGO)} alt={shopName} height={40} />}
        </a>
        {!hasOwnSearch && <SearchField query={query ?? ""} />}
        <nav aria-label={shopName}>
          <a href="/desk">{texts.desk}</a>
          <CartLink />
          <Account />
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer className="no-print">
        <Contact />
        <Help />
        <div className="choices">
          <Choices />
        </div>
      </footer>
    </>
  );
}

/** Links by which the shop is reached. */
export function listReach({ phone, email }: Pick<Shop["facts"], "phone" | "email">): ReactNode[] {
  return [
    ...(phone === null ? [] : [<a href={`tel:${phone.replace(/x.*/, "").replaceAll(/[^+\d]/g, "")}`}>{phone}</a>]),
    ...(email === null ? [] : [<a href={`mailto:${email}`}>{email}</a>]),
  ];
}

/** Who the shop is and how to reach it; nothing as long as it says only its name. */
function Contact(): ReactNode {
  const { texts, shopName, facts } = useShop();
  const { legalName, address, openingHours, taxIds } = facts;
  const reach = listReach(facts);
  if ([...address, ...reach, ...openingHours, ...taxIds].length === 0 && legalName === null) return null;
  return (
    <div className="contact">
      <address>
        <Lines of={[<strong>{legalName ?? shopName}</strong>, ...address, ...reach, ...taxIds]} />
      </address>
      {openingHours.length > 0 && (
        <div>
          <Lines of={[<strong>{texts.openingHours}</strong>, ...openingHours]} />
        </div>
      )}
    </div>
  );
}

/** Where a shopper looks for help. */
function Help(): ReactNode {
  const { texts, policies } = useShop();
  return (
    <nav aria-label={texts.help}>
      <a href="/orders/find">{texts.findOrder}</a>
      {policies.map((name) => (
        <a key={name} href={`/policies/${name}`}>
          {texts[`policy_${name}`]}
        </a>
      ))}
    </nav>
  );
}

function CartLink(): ReactNode {
  const { texts } = useShop();
  const count = useCart()?.itemCount ?? 0;
  return (
    <a href="/cart">
      {texts.cart}
      <span className="badge">{count > 0 ? ` ${count}` : ""}</span>
      {count > 0 && <span className="hidden"> {count === 1 ? texts.piece : texts.pieces}</span>}
    </a>
  );
}

function Account(): ReactNode {
  const { texts, user, canSignIn, address } = useShop();
  if (!user) {
    if (!canSignIn) return null;
    return <a href={`/session/sign-in?return=${encodeURIComponent(address)}`}>{texts.signIn}</a>;
  }
  return (
    <>
      <a href="/orders">{texts.orders}</a>
      <a href="/account">{texts.account}</a>
      <form method="post" action="/session/sign-out" onSubmit={forgetTalks}>
        <button className="plain" title={fill(texts.signedInAs, { name: user.email ?? user.id })}>
          {texts.signOut}
        </button>
      </form>
    </>
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
        <select value={language} onChange={(event) => choose("language", event.target.value)}>
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.theme}{" "}
        <select value={theme ?? "system"} onChange={(event) => choose("theme", event.target.value)}>
          <option value="system">{texts.themeSystem}</option>
          <option value="light">{texts.themeLight}</option>
          <option value="dark">{texts.themeDark}</option>
        </select>
      </label>
    </>
  );
}
