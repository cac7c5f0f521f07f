import { randomBytes } from "node:crypto";
import { SANDBOX_PORTS } from "../../broker/settings.ts";

/** Values by the names of settings; undefined removes one. */
export type Answers = Record<string, string | undefined>;

export interface Question {
  /** The setting that it asks for. */
  name: string;
  ask: string;
  /** Comment above the setting in the file. */
  comment: string;
  isSecret?: true;
  /** Answer to suggest if the file has none. */
  suggest?: (answers: Answers) => string | undefined;
  /** Settings that an answer sets; without it, the answer is the setting. */
  read?: (answer: string, answers: Answers) => Answers;
}

const SANDBOX_PORT = Number(process.env.SANDBOX_PORT) || 4_000;
export const SANDBOX_API = `http://127.0.0.1:${SANDBOX_PORT + SANDBOX_PORTS.payment}`;
export const SANDBOX_SMTP = `smtp://127.0.0.1:${SANDBOX_PORT + SANDBOX_PORTS.smtp}`;

const createSecret = (): string => randomBytes(24).toString("base64url");

const readAddress = (name: string) => (answer: string) => ({
  [name]: answer.includes("://") ? answer : `https://${answer}`,
});

/** `https://console.shop.example` beside `https://shop.example`; on this machine the entry point's own address. */
const suggestHost =
  (prefix: string, port: number) =>
  ({ STORE_URL: store }: Answers) => {
    if (store === undefined || !URL.canParse(store)) return undefined;
    const { protocol, hostname } = new URL(store);
    if (protocol === "http:") return `http://127.0.0.1:${port}`;
    return `https://${prefix}.${hostname.replace(/^www\./, "")}`;
  };

/** What a shop must have, in the order of the questions. What it says of itself is set in the console. */
export const QUESTIONS: readonly Question[] = [
  {
    name: "STORE_URL",
    ask: "Web address of the shop, for example shop.example",
    comment: "Address at which buyers open the shop.",
    read: readAddress("STORE_URL"),
  },
  {
    name: "CONSOLE_URL",
    ask: "Web address of the console for staff",
    comment: "Address at which staff open the console.",
    suggest: suggestHost("console", 3200),
    read: readAddress("CONSOLE_URL"),
  },
  {
    name: "PUBLIC_URL",
    ask: "Web address of the API",
    comment: "Address of the API, and of pictures. The payment provider calls /webhooks/stripe there.",
    suggest: suggestHost("api", 8000),
    read: readAddress("PUBLIC_URL"),
  },
  {
    name: "STAFF",
    ask: "E-mail address of the owner, who signs in to the console with it (or staff by role, owner:…,clerk:…)",
    comment: "Staff by role: owner:jo@shop.example,clerk:sam@shop.example. They sign in by a link in a mail.",
    // Colleagues stay.
    read: (answer, { STAFF: staff = "" }) => ({
      STAFF: answer.includes(":")
        ? answer
        : [`owner:${answer}`, ...staff.split(",").filter((entry) => !/^(owner:|$)/.test(entry.trim()))].join(","),
    }),
  },
  {
    name: "SHOP_EMAIL",
    ask: "E-mail address that gets what staff must act on",
    comment: "Address of the shop that gets mails about what staff must act on.",
    suggest: ({ STAFF: staff }) => staff?.split(",")[0]?.replace(/^.*:/, ""),
  },
  {
    name: "MAIL_FROM",
    ask: "Sender of the shop's mails",
    comment: "Sender of the shop's mails.",
    suggest: ({ SHOP_EMAIL: email }) => email,
  },
  {
    name: "SMTP_URL",
    ask: `Mail server, smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587, or "sandbox" to try the shop`,
    comment: "Mail server. Write special characters of user and password as in a URL, for example %40 for @.",
    isSecret: true,
    read: (answer) => ({ SMTP_URL: answer === "sandbox" ? SANDBOX_SMTP : answer }),
  },
  {
    name: "STRIPE_SECRET_KEY",
    ask: 'Secret key of Stripe, sk_… or rk_…, or "sandbox" to try the shop without an account',
    comment: "Secret key of Stripe, the payment provider.",
    isSecret: true,
    read: (answer, { STRIPE_API_BASE: base, STRIPE_WEBHOOK_SECRET: secret }) => {
      const isSandbox = answer === "sandbox";
      if (!isSandbox && base !== SANDBOX_API) return { STRIPE_SECRET_KEY: answer };
      return {
        STRIPE_SECRET_KEY: isSandbox ? `sk_test_${createSecret()}` : answer,
        STRIPE_API_BASE: isSandbox ? SANDBOX_API : undefined,
        STRIPE_WEBHOOK_SECRET: isSandbox ? (secret ?? `whsec_${createSecret()}`) : undefined,
      };
    },
  },
  {
    name: "STRIPE_WEBHOOK_SECRET",
    ask: "Signing secret of Stripe's webhook endpoint, whsec_…",
    comment: "Signing secret of the webhook endpoint at Stripe (docs/guides/shop.md#the-webhook-endpoint).",
    isSecret: true,
  },
  {
    name: "DATA_DIR",
    ask: "Folder for orders, catalog and all other data",
    comment: "Folder of all data: back it up (npm run backup).",
    suggest: () => "./data",
  },
];

/** Comments of settings that are set without a question. */
export const COMMENTS: Record<string, string> = {
  NODE_ENV: "production refuses published secrets, and runs no sandbox by itself.",
  IDENTITY_MODE: "mail: people sign in by a link in a mail. provider: by an identity provider.",
  DIS_URL: "Dealer inventory system: its address, or off.",
  TIRE_SUPPLIER_URL: "K&M Tire: its address, or off.",
  TRUSTED_PROXIES: "Proxy on this machine, whose X-Forwarded-For names the client.",
  ADMIN_TOKEN: "Opens the whole API (X-Admin-Token). Made by npm run setup.",
  STRIPE_API_BASE: "Payment provider in place of Stripe's own address: npm run sandbox stands in for it.",
};

/** Settings of a shop on one machine. What the file sets already stays. */
export const createDefaults = (): Record<string, string> => ({
  NODE_ENV: "production",
  IDENTITY_MODE: "mail",
  DIS_URL: "off",
  TIRE_SUPPLIER_URL: "off",
  TRUSTED_PROXIES: "127.0.0.1,::1",
  ADMIN_TOKEN: createSecret(),
});
