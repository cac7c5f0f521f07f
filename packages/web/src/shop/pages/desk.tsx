import { isPartlineError, type LiveStock } from "@partline/client";
import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import type { Exchange } from "../desk/kept-talk.ts";
import { listPartIds } from "../desk/part-ids.ts";
import { type DeskSubject, toLookedAt } from "../desk/subject.ts";
import { loadSuggestions } from "../desk/suggestions.ts";
import { Talk } from "../desk/talk.tsx";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { loadStock } from "../parts/load-stock.ts";
import { explainProblem } from "../problem-text.ts";

interface DeskData {
  /** What the address asks, for browsers without scripts and for links. */
  first?: Exchange | undefined;
  firstStock?: readonly LiveStock[];
  /** The part that the address asks about. */
  subject?: DeskSubject | undefined;
  suggestions: readonly string[];
}

export const desk: PageDefinition<DeskData> = {
  path: "/desk",
  load: async (request) => {
    const { partline, query, machine, texts } = request;
    const question = query.get("q")?.trim() ?? "";
    if (question === "") return { suggestions: await loadSuggestions(partline, machine?.equipment, request) };
    const about = query.get("about")?.trim() ?? "";
    const subject = about === "" ? undefined : { name: about, part: about };
    const page = { subject, suggestions: [] };
    try {
      const answer = await partline.ai.query({
        query: question,
        about: toLookedAt(subject, machine),
        include_store_link: true,
      });
      const firstStock = await loadStock(request, listPartIds([answer]));
      return { ...page, first: { question, text: answer.answer, answer }, firstStock };
    } catch (error) {
      if (!isPartlineError(error)) throw error;
      return { ...page, first: { question, text: "", problem: explainProblem(error, texts) } };
    }
  },
  head: ({ first }, { texts, origin }) => ({
    title: texts.desk,
    description: texts.deskDescription,
    canonical: first ? undefined : `${origin}/desk`,
  }),
  View: Desk,
};

function Desk({ data: { first, firstStock, subject, suggestions } }: { data: DeskData }): ReactNode {
  const { texts } = useShop();
  return (
    <Layout subject={subject}>
      <h1>{texts.desk}</h1>
      <Talk first={first} firstStock={firstStock} subject={subject} suggestions={suggestions}>
        <p className="lead">{texts.deskDescription}</p>
      </Talk>
    </Layout>
  );
}
