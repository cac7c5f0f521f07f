import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type BalancedAnswer, type BalancedRequest, type Balancer, now } from "../balancer.ts";
import {
  attemptId,
  type Attempt,
  type History,
  type Operation,
  type Operations,
  type OperationType,
  type Result,
} from "../history.ts";

/** A function that reads an answer, if it is one of those that were asked for. */
export type ReadAnswer<T extends OperationType> = (
  status: number,
  body: AnswerBody,
) => Operations[T]["output"] | undefined;

/** Parsed JSON of a black box; what is not there makes the reading fail. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black-box client has no types to rely on
export type AnswerBody = any;

/**
 * How often a client tries. `once`: what has no key might be done twice. `read`: once more, by the other gateway.
 * `keyed`: a write that the product knows again by its key, three times more.
 */
export type Tries = "once" | "read" | "keyed";

const MORE_TRIES: Record<Tries, number> = { once: 0, read: 1, keyed: 3 };
const PAUSE_MS = 250;

/** Answers that promise that nothing was done: what was wrong with the request, and 503 (docs/reference/errors.md). */
const promisesNothingDone = (status: number | undefined): boolean =>
  status !== undefined && ((status >= 400 && status < 500 && status !== 408) || status === 503);

/** One who does one thing after another as an SDK would, and has each written into the history. */
export class Client {
  readonly name: string;
  readonly #balancer: Balancer;
  readonly #history: History;

  constructor(name: string, balancer: Balancer, history: History) {
    this.name = name;
    this.#balancer = balancer;
    this.#history = history;
  }

  /** @returns what was answered; undefined where it failed, was refused, or nobody knows */
  async do<T extends OperationType>(
    type: T,
    input: Operations[T]["input"],
    request: BalancedRequest,
    read: ReadAnswer<T>,
    tries: Tries = "once",
  ): Promise<Operations[T]["output"] | undefined> {
    const invokedAt = now();
    const requestId = randomUUID();
    const attempts: Attempt[] = [];
    let result: Result = "refused";
    let output: Operations[T]["output"] | undefined;
    for (let left = MORE_TRIES[tries]; ; left--) {
      const headers = { ...request.headers, "x-request-id": attemptId(requestId, attempts.length) };
      const { text, ...attempt } = await this.#balancer.send({ ...request, headers, notBy: attempts.at(-1)?.gateway });
      attempts.push(attempt);
      output = readAnswer(attempt, text, read);
      if (output !== undefined) result = "ok";
      else if (!promisesNothingDone(attempt.status)) result = "unknown";
      const isFinal = output !== undefined || (attempt.status !== undefined && attempt.status < 500);
      if (isFinal || left === 0) break;
      await delay(PAUSE_MS * 2 ** (attempts.length - 1));
    }
    const done: Operation<T> = {
      kind: "operation",
      client: this.name,
      type,
      requestId,
      input,
      invokedAt,
      answeredAt: now(),
      result,
      output,
      attempts,
    };
    this.#history.add(done);
    return output;
  }
}

function readAnswer<T extends OperationType>(
  attempt: Omit<BalancedAnswer, "text">,
  text: string,
  read: ReadAnswer<T>,
): Operations[T]["output"] | undefined {
  if (attempt.status === undefined) return undefined;
  try {
    return read(attempt.status, text === "" ? undefined : JSON.parse(text));
  } catch (error) {
    attempt.error = `an answer that is not what it should be: ${String(error)}: ${text.slice(0, 200)}`;
    return undefined;
  }
}

export const JSON_TYPE = { "content-type": "application/json" };

/** In whole cents. */
export function cents(amount: number): number {
  return Math.round(amount * 100);
}
