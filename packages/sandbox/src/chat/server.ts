import { createFaults, createProviderRoutes } from "../server/faults.ts";
import { html } from "../server/html.ts";
import { type Address, type HttpServer, type Routes, createJsonReply, startHttpServer } from "../server/http-server.ts";
import { LastFacts } from "../server/last-facts.ts";
import { createCompletionsHandler, type CompletionFact } from "./completions.ts";
import { FAULTS } from "./speaker.ts";

interface ChatSandboxOptions extends Address {
  /** Undefined takes any key, and none. */
  apiKey?: string;
}

export const SANDBOX_MODEL = "sandbox-chat";
const KEPT = 200;

/** The stand-in for a chat model: OpenAI's chat completions under `/v1`. */
export function startChatSandbox({ host, port, apiKey }: ChatSandboxOptions): Promise<HttpServer> {
  const faults = createFaults(FAULTS);
  const log = new LastFacts<CompletionFact>(KEPT);
  const routes: Routes = {
    ...createProviderRoutes("Chat model", faults, (url) => ({
      about: html`<p>A stand-in for a chat model. It is asked where Partline is started with
<code>LLM_BASE_URL=${url}/v1 LLM_MODEL=${SANDBOX_MODEL}</code>; otherwise answers are composed without one.</p>`,
      lately: html`<h2>Asked lately</h2>
<table>${log
        .all()
        .reverse()
        .slice(0, 20)
        .map(
          (fact) =>
            html`<tr><td>${fact.at.slice(11, 19)}</td><td>${fact.status ?? "no answer"}</td><td>${fact.messages} messages, ${fact.tools} tools${fact.left && ", left before the end"}</td></tr>`,
        )}</table>`,
    })),
    "POST /v1/chat/completions": createCompletionsHandler({ apiKey, faults, log }),
    "GET /sandbox/completions": () => createJsonReply(200, { completions: log.all().reverse() }),
  };
  return startHttpServer({ host, port, routes });
}
