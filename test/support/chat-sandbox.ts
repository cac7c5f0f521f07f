import type { CompletionFact } from "../../packages/sandbox/src/chat/completions.ts";
import { SANDBOX_MODEL, startChatSandbox } from "../../packages/sandbox/src/chat/server.ts";
import type { FaultKind } from "../../packages/sandbox/src/chat/speaker.ts";
import { controlFaults } from "./sandbox-faults.ts";

export const CHAT_KEY = "llm_test_key";

export interface TestChatModel {
  /** Settings that point at it. */
  env: Record<string, string>;
  fault(kind: FaultKind, value?: number, times?: number): Promise<void>;
  allWell(): Promise<void>;
  /** What it was asked, the latest first. */
  completions(): Promise<CompletionFact[]>;
  close(): Promise<void>;
}

/** The chat model sandbox on any free port, with its switches. */
export async function startTestChatModel(): Promise<TestChatModel> {
  const { url, close } = await startChatSandbox({ host: "127.0.0.1", port: 0, apiKey: CHAT_KEY });
  return {
    env: { LLM_BASE_URL: `${url}/v1`, LLM_API_KEY: CHAT_KEY, LLM_MODEL: SANDBOX_MODEL, LLM_TIMEOUT_SECONDS: "1" },
    close,
    ...controlFaults(url),
    completions: async () =>
      ((await (await fetch(`${url}/sandbox/completions`)).json()) as { completions: CompletionFact[] }).completions,
  };
}
