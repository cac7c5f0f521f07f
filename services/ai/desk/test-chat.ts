import {
  type ChatModel,
  type ChatModelLocation,
  type Desk,
  MOST_TOKENS,
  readAnswerEvent,
  TEMPERATURE,
} from "@partline/parts-desk";
import type { Infer } from "@partline/api-contracts";
import type { testChatRule } from "./resources.ts";

export type TestChat = Infer<typeof testChatRule>;

/** A model costs money: an answer stands for everybody so long. Milliseconds. */
const STANDS_MS = 10_000;
const TEST_QUERY = "Which carburetor do you have, and what does it cost?";
const NO_MODEL = "No chat model is configured: answers are composed from the manuals and the catalog.";

interface TestChatDeps {
  desk: Desk;
  location: ChatModelLocation | undefined;
  chat: ChatModel | undefined;
}

/** Asks the desk a question, and the model by itself whether it answers. */
export function createTestChat({ desk, location, chat }: TestChatDeps): () => Promise<TestChat> {
  let last: { at: number; answer: Promise<TestChat> } | undefined;
  const ask = async (): Promise<TestChat> => {
    const [failure, { data: response, modelFailure }] = await Promise.all([
      chat?.findFailure(),
      readAnswerEvent(desk.answer({ query: TEST_QUERY, includeStoreLink: false })),
    ]);
    const trouble = failure ?? modelFailure;
    const modelNote = chat === undefined ? NO_MODEL : trouble && `${trouble}.`;
    return {
      status: trouble === undefined ? "ok" : "error",
      model_config: {
        api_url: location === undefined ? null : removeCredentials(location.baseUrl),
        model_name: chat?.name ?? "composer",
        temperature: TEMPERATURE,
        max_tokens: chat === undefined ? null : MOST_TOKENS,
        provider: chat === undefined ? "composer" : "openai-compatible",
      },
      test_query: TEST_QUERY,
      agent_response: `${modelNote === undefined ? "" : `${modelNote}\n\n`}${response.answer}`,
      agent_state: { parts_found: response.parts.length, needs_confirmation: response.needs_confirmation },
    };
  };
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > STANDS_MS) last = { at: now, answer: ask() };
    const { answer } = last;
    answer.catch(() => (last = undefined));
    return answer;
  };
}

/** Removes what an address may carry: a name, a password or a key. */
function removeCredentials(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`.replace(/\/$/, "");
}
