import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { OFFLINE } from "../kit/icons/ui.ts";
import { Brand, toPhoneAddress } from "../layout.tsx";
import { Lines } from "../parts/lines.tsx";

/**
 * Renders what a browser shows without a network, at any address: who the shop is and how it is reached all the same.
 */
export function OfflinePage(): ReactNode {
  const { texts, facts } = useShop();
  const { phone, openingHours } = facts;
  return (
    <>
      <header>
        <div className="head">
          <a href="/" className="brand">
            <Brand />
          </a>
        </div>
      </header>
      <main id="content">
        <EmptyState icon={OFFLINE} heading={texts.offlineTitle} level={1}>
          <p>{texts.offlineText}</p>
          {/* The address that was asked for. */}
          <ButtonLink kind="primary" href="">
            {texts.tryAgain}
          </ButtonLink>
          {phone !== null && (
            <p>
              {texts.trustCall}: <a href={toPhoneAddress(phone)}>{phone}</a>
            </p>
          )}
          {openingHours.length > 0 && (
            <p className="soft">
              <Lines of={openingHours} />
            </p>
          )}
        </EmptyState>
      </main>
    </>
  );
}
