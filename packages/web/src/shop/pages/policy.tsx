import type { ReactNode } from "react";
import { LANGUAGES } from "../../../../../mixins/shop/languages.ts";
import { isPolicy, type PolicyName } from "../../../../../mixins/shop/shop-facts.ts";
import type { Head } from "../../shared/document.tsx";
import type { Language } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Layout } from "../layout.tsx";
import { NotHere, type PageDefinition, type PageHead } from "../page.ts";

interface PolicyData {
  name: PolicyName;
  /** The page's, or another if the shop has no text in it. */
  language: Language;
  /** The heading that the text begins with, in its language. */
  heading?: string | undefined;
  html: string;
}

/** `# Returns` at the start of a text, without a mark-up of its own: the page's heading, which would be there twice. */
const OWN_HEADING = /^\s*# +([^\n*_`[\]<>\\]+?)[ \r]*(?:\n([^]*))?$/;

/** What the shop promises and asks for, in its own words. */
export const policy: PageDefinition<PolicyData> = {
  path: "/policies/{name}",
  load: async ({ params: { name = "" }, language, policyTexts, renderMarkdown }) => {
    if (!isPolicy(name)) throw new NotHere();
    const texts = policyTexts[name];
    const textLanguage = [language, ...LANGUAGES].find((tag) => texts[tag] !== null);
    const markdown = textLanguage && texts[textLanguage];
    if (!markdown) throw new NotHere();
    const [, heading, text = markdown] = OWN_HEADING.exec(markdown) ?? [];
    return { name, language: textLanguage, heading, html: renderMarkdown(text) };
  },
  head: describePolicy,
  View: Policy,
};

function describePolicy({ name }: PolicyData, { texts, origin, shopName }: PageHead): Head {
  return { title: `${texts[`policy_${name}`]} · ${shopName}`, canonical: `${origin}/policies/${name}` };
}

function Policy({ data: { name, language, heading, html } }: { data: PolicyData }): ReactNode {
  const { texts } = useShop();
  return (
    <Layout>
      <article className="card prose page-card">
        <h1 lang={heading === undefined ? undefined : language}>{heading ?? texts[`policy_${name}`]}</h1>
        <div lang={language} dangerouslySetInnerHTML={{ __html: html }} />
      </article>
    </Layout>
  );
}
