import { useEffect, useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Button, ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { SEARCH, WARNING } from "../kit/icons/ui.ts";
import { Layout } from "../layout.tsx";
import { OtherWays } from "../other-ways.tsx";
import type { Missing, PageDefinition } from "../page.ts";
import type { Texts } from "../texts/en.ts";

/** Why there is no page. */
export interface ProblemData {
  kind: Missing | "unavailable" | "many-requests" | "sign-in-failed" | "sign-in-refused";
  /** The address that a sign-in comes back to. */
  back?: string;
}

const FIRST_PAUSE_SECONDS = 5;

export const problem: PageDefinition<ProblemData> = {
  path: "/sign-in-failed",
  load: ({ query }) =>
    Promise.resolve({
      kind: query.get("why") === "token" ? "sign-in-refused" : "sign-in-failed",
      back: query.get("return") ?? "/",
    }),
  head: ({ kind }, { texts }) => ({ title: titles(texts)[kind] }),
  View: Problem,
};

const titles = (texts: Texts): Record<ProblemData["kind"], string> => ({
  "not-found": texts.notFoundTitle,
  "order-link-gone": texts.notFoundTitle,
  unavailable: texts.unavailableTitle,
  "many-requests": texts.unavailableTitle,
  "sign-in-failed": texts.signInFailedTitle,
  "sign-in-refused": texts.signInFailedTitle,
});

function Problem({ data: { kind, back = "/" } }: { data: ProblemData }): ReactNode {
  const { texts, address } = useShop();
  if (kind === "unavailable") return <Unavailable />;
  const canTryAgain = kind === "sign-in-failed" || kind === "many-requests";
  return (
    <Layout>
      <EmptyState icon={canTryAgain ? WARNING : SEARCH} heading={titles(texts)[kind]} level={1}>
        <p>
          {
            {
              "not-found": texts.notFoundText,
              "order-link-gone": texts.orderLinkGone,
              "many-requests": texts.problem_RATE_LIMITED,
              "sign-in-failed": texts.signInFailedText,
              "sign-in-refused": texts.signInRefusedText,
            }[kind]
          }
        </p>
        {canTryAgain ? (
          <ButtonLink
            kind="primary"
            href={kind === "many-requests" ? address : `/session/sign-in?return=${encodeURIComponent(back)}`}
          >
            {texts.tryAgain}
          </ButtonLink>
        ) : (
          <ButtonLink kind="primary" href="/">
            {texts.home}
          </ButtonLink>
        )}
        <OtherWays />
      </EmptyState>
    </Layout>
  );
}

/** Tries again by itself. */
function Unavailable(): ReactNode {
  const { texts } = useShop();
  const [seconds, setSeconds] = useState(FIRST_PAUSE_SECONDS);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((left) => left - 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    // Once: another call would break off the answer that is on its way.
    if (seconds === 0) location.reload();
  }, [seconds]);
  return (
    <Layout>
      <EmptyState icon={WARNING} heading={texts.unavailableTitle} level={1}>
        <p>{fill(texts.unavailableText, { seconds: Math.max(0, seconds) })}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {texts.tryAgain}
        </Button>
      </EmptyState>
    </Layout>
  );
}
