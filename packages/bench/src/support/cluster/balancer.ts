import { Agent, request as httpRequest, type ClientRequest } from "node:http";
import { ENTRY_POINTS, type EntryPoint } from "../../../../../broker/contract/define.ts";
import type { Attempt } from "./history.ts";

/** One of the processes that have the entry points. */
export interface Gateway {
  name: string;
  url(entry: EntryPoint): string;
}

export interface BalancedRequest {
  entry: EntryPoint;
  method: "GET" | "POST" | "PATCH" | "PUT";
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** The gateway that shall not be asked while there is another: one that failed a moment ago. */
  notBy?: string;
}

export interface BalancedAnswer extends Attempt {
  text: string;
}

/** Between two looks at a gateway's readiness, and the longest wait for it; milliseconds. */
const LOOK_EVERY = 500;
/** Longest wait for an answer; the product's own deadlines are shorter except for a few actions. */
const ANSWER_WITHIN = 40_000;

/**
 * Does what a load balancer with health checks does: sends each request to the next gateway that /health/ready calls
 * ready, and to the other one where it takes no connection. What was sent is not sent again.
 */
export class Balancer {
  readonly #gateways: readonly Gateway[];
  readonly #down = new Set<string>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #looks: NodeJS.Timeout;
  #turn = 0;
  #isClosed = false;

  constructor(gateways: readonly Gateway[]) {
    this.#gateways = gateways;
    this.#looks = setInterval(() => void Promise.all(gateways.map((gateway) => this.#look(gateway))), LOOK_EVERY);
  }

  /** The gateways in the order to try: ready ones first. */
  order(notBy?: string): Gateway[] {
    const turn = this.#turn++;
    const turned = this.#gateways.map((_, index) => this.#gateways[(turn + index) % this.#gateways.length]!);
    return turned.sort(
      (gateway, otherGateway) => this.#reluctance(gateway, notBy) - this.#reluctance(otherGateway, notBy),
    );
  }

  /** What became of it is in the answer. @throws Error once the balancer is closed */
  async send(request: BalancedRequest): Promise<BalancedAnswer> {
    if (this.#isClosed) throw new Error("The load balancer is closed");
    const startedAt = now();
    let answer: BalancedAnswer | undefined;
    for (const gateway of this.order(request.notBy)) {
      answer = await this.#sendTo(gateway, request);
      if (answer.error !== "ECONNREFUSED") break;
      this.#down.add(gateway.name);
    }
    return { ...answer!, at: startedAt };
  }

  /** What is under way gets no answer. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#looks);
    this.#agent.destroy();
  }

  #reluctance({ name }: Gateway, notBy?: string): number {
    return (this.#down.has(name) ? 2 : 0) + (name === notBy ? 1 : 0);
  }

  async #look(gateway: Gateway): Promise<void> {
    const ready = await fetch(`${gateway.url("gateway")}/health/ready`, {
      signal: AbortSignal.timeout(LOOK_EVERY * 4),
    }).then(
      async (answer) => (await answer.text(), answer.status === 200),
      () => false,
    );
    if (ready) this.#down.delete(gateway.name);
    else this.#down.add(gateway.name);
  }

  #sendTo(gateway: Gateway, { entry, method, path, headers, body }: BalancedRequest): Promise<BalancedAnswer> {
    const startedAt = now();
    const url = new URL(path, gateway.url(entry));
    return new Promise((resolve) => {
      const end = (over: Pick<BalancedAnswer, "status" | "error"> & { text?: string }) =>
        resolve({ gateway: gateway.name, at: startedAt, answeredAt: now(), text: "", ...over });
      const clientRequest: ClientRequest = httpRequest(
        url,
        {
          method,
          agent: this.#agent,
          headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => end({ status: response.statusCode!, text: Buffer.concat(chunks).toString() }));
          response.on("error", ({ message }) => end({ error: message }));
        },
      );
      clientRequest.setTimeout(ANSWER_WITHIN, () =>
        clientRequest.destroy(Object.assign(new Error("no answer"), { code: "NO_ANSWER" })),
      );
      clientRequest.on("error", ({ code, message }: NodeJS.ErrnoException) => end({ error: code ?? message }));
      clientRequest.end(body);
    });
  }
}

/** Milliseconds since 1970, to the microsecond. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** The gateway whose first port this is; the others follow in the order of ENTRY_POINTS. */
export function gatewayAt(name: string, firstPort: number): Gateway {
  return { name, url: (entry) => `http://127.0.0.1:${firstPort + ENTRY_POINTS.indexOf(entry)}` };
}
