import type { AiQueryStreamParams, Partline, QueryResponse } from "@partline/client";

/** What the desk has said so far: the whole answer once it is complete. */
export interface Reply {
  text: string;
  answer?: QueryResponse | undefined;
}

/** Yields what the desk has said to a question each time it says more. */
export async function* streamAnswer(
  partline: Partline,
  question: AiQueryStreamParams,
  signal?: AbortSignal,
): AsyncGenerator<Reply, void> {
  let text = "";
  for await (const { event, data } of partline.ai.queryStream({ ...question, include_store_link: true }, { signal })) {
    if (event === "answer") yield { text: data.answer, answer: data };
    else {
      text = event === "restart" ? "" : text + data.text;
      yield { text };
    }
  }
}
