import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { Icon } from "../kit/icon.tsx";
import { CARD, LIST, LOCK, PERSON, RETURN, STORE, TOOL } from "../kit/icons/ui.ts";
import { Layout } from "../layout.tsx";
import { SECTIONS } from "./sections.ts";

/** What is around each page of the account: the ways to the others. A guest, who has none, sees the page alone. */
export function AccountLayout({ children }: { children: ReactNode }): ReactNode {
  const { texts, user, address } = useShop();
  if (!user) return <Layout>{children}</Layout>;
  const links = [
    { href: "/orders", icon: LIST, name: texts.orders },
    { href: `/account#${SECTIONS.machines}`, icon: TOOL, name: texts.ownMachines },
    { href: `/account#${SECTIONS.addresses}`, icon: STORE, name: texts.savedAddress },
    { href: `/account#${SECTIONS.cards}`, icon: CARD, name: texts.cards },
    { href: `/account#${SECTIONS.returns}`, icon: RETURN, name: texts.returns },
    { href: `/account#${SECTIONS.personalData}`, icon: LOCK, name: texts.personalData },
  ];
  const overview = { href: "/account", icon: PERSON, name: texts.account };
  const [path] = address.split("?");
  return (
    <Layout>
      <div className="account">
        <nav aria-label={texts.accountMenu} className="account-menu no-print">
          <ul>
            {[overview, ...links].map(({ href, icon, name }) => (
              <li key={href}>
                <a href={href} aria-current={href === path ? "page" : undefined}>
                  <Icon path={icon} size="small" />
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="stack">{children}</div>
      </div>
    </Layout>
  );
}
