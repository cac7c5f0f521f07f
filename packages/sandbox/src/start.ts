import { SANDBOX_MODEL, startChatSandbox } from "./chat/server.ts";
import { startDealerSandbox } from "./dealer/server.ts";
import { startEasyPostSandbox } from "./easypost/server.ts";
import { startIdentitySandbox } from "./identity/server.ts";
import { startListingSandbox } from "./listing/open.ts";
import { startMailboxSandbox } from "./mailbox/server.ts";
import { startPaymentSandbox } from "./payment/server.ts";

type Options<S extends (options: never) => unknown> = Omit<Parameters<S>[0], "host" | "port" | "dataDir" | "smtpPort">;

/** The stand-ins to start: those without options are not. The chat model and those who send price files always are. */
export interface StandIns {
  host: string;
  port(name: "payment" | "identity" | "dealer" | "chat" | "mailbox" | "easypost" | "smtp"): number;
  dataDir: string;
  payment?: Options<typeof startPaymentSandbox>;
  identity?: Options<typeof startIdentitySandbox>;
  dealer?: Options<typeof startDealerSandbox>["dealer"];
  listings: { name: string; port: number; apiKey: string }[];
  /** Base URL of the pictures of the listings' parts. */
  imageUrlBase: string;
  mailbox: boolean;
  easyPost?: Options<typeof startEasyPostSandbox>;
}

interface RunningSandbox {
  name: string;
  note: string;
  url: string;
  close(): Promise<void>;
}

/** Starts stand-ins beside each other. `tokens` are those of the identity provider's admin and customer. */
export async function startSandboxes(options: StandIns) {
  const { host, dataDir, payment, identity, dealer, easyPost } = options;
  const toLocation = (name: Parameters<StandIns["port"]>[0]) => ({ host, port: options.port(name) });
  const running: RunningSandbox[] = [];
  const tokens: { name: string; value: string }[] = [];

  const close = () => Promise.all(running.map((sandbox) => sandbox.close()));
  const start = async <S extends Pick<RunningSandbox, "url" | "close">>(
    name: string,
    note: string | ((sandbox: S) => string),
    starting: Promise<S>,
  ): Promise<S> => {
    const sandbox = await starting;
    const { url, close } = sandbox;
    running.push({ name, note: typeof note === "string" ? note : note(sandbox), url, close });
    return sandbox;
  };

  const startIdentity = async (signIn: NonNullable<typeof identity>): Promise<void> => {
    const sandbox = await start(
      "identity",
      "the identity provider (JWKS, tokens, webhooks)",
      startIdentitySandbox({ ...toLocation("identity"), dataDir, ...signIn }),
    );
    const { admin, customer } = await sandbox.tokens();
    tokens.push({ name: "Token of an admin", value: admin }, { name: "Token of a customer", value: customer });
  };

  await Promise.all([
    payment &&
      start(
        "payment",
        "the payment provider (hosted checkout page, webhooks)",
        startPaymentSandbox({ ...toLocation("payment"), dataDir, ...payment }),
      ),
    identity && startIdentity(identity),
    start(
      "suppliers",
      `those who send price files${dealer ? ", and the dealer inventory system" : ""}`,
      startDealerSandbox({ ...toLocation("dealer"), ...(dealer ? { dealer } : {}) }),
    ),
    ...options.listings.map(({ name, ...listing }) =>
      start(
        name,
        "a supplier whose listing is synced",
        startListingSandbox(name, { host, imageUrlBase: options.imageUrlBase, ...listing }),
      ),
    ),
    // It is used only if LLM_BASE_URL names it.
    start(
      "chat",
      ({ url }) => `a chat model (LLM_BASE_URL=${url}/v1 LLM_MODEL=${SANDBOX_MODEL})`,
      startChatSandbox(toLocation("chat")),
    ),
    options.mailbox &&
      start(
        "mailbox",
        "the mailbox of all buyers and of the shop",
        startMailboxSandbox({ ...toLocation("mailbox"), smtpPort: options.port("smtp"), dataDir }),
      ),
    easyPost &&
      start(
        "easypost",
        "EasyPost, which says what carriers ask for",
        startEasyPostSandbox({ ...toLocation("easypost"), ...easyPost }),
      ),
  ]).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    addresses: running.map(({ name, url, note }) => ({ name, url, note })),
    tokens,
    close,
  };
}
