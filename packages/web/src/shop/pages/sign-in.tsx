import type { ReactNode } from "react";
import { MailSignIn, type MailSignInQuery, getSignInTitle } from "../../shared/mail-sign-in.tsx";
import { useShop } from "../context.tsx";
import { Layout } from "../layout.tsx";
import { NotHere, type PageDefinition } from "../page.ts";

/** The page where the shop signs people in itself; with an identity provider there is none. */
export const signIn: PageDefinition<MailSignInQuery> = {
  path: "/sign-in",
  load: ({ query, signsInByMail }) =>
    signsInByMail ? Promise.resolve(Object.fromEntries(query)) : Promise.reject(new NotHere()),
  head: (_, { language }) => ({ title: getSignInTitle(language) }),
  View: SignIn,
};

function SignIn({ data }: { data: MailSignInQuery }): ReactNode {
  const { language } = useShop();
  return (
    <Layout>
      <div className="card narrow">
        <h1>{getSignInTitle(language)}</h1>
        <MailSignIn query={data} language={language} />
      </div>
    </Layout>
  );
}
