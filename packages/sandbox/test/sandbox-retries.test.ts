import { describe, expect, it } from "@jest/globals";
import { Errors } from "moleculer";
import { PartlineError } from "../../../mixins/errors.ts";
import { isUnanswered, waitUntilAnswered } from "../src/fill/until-answered.ts";

/** Work that is refused for each of these reasons in turn, and done then. */
function refusedFor(reasons: unknown[]): { work: () => Promise<string>; told: unknown[]; tries(): number } {
  const told: unknown[] = [];
  let tries = 0;
  const work = async (): Promise<string> => {
    const reason = reasons[tries];
    tries += 1;
    if (reason !== undefined) throw reason;
    return "done";
  };
  return { work, told, tries: () => tries };
}

describe("what the sandbox asks of other nodes", () => {
  const where = { action: "catalog.stats", nodeID: "services" };
  const passing = [
    new Errors.ServiceNotAvailableError(where),
    new Errors.ServiceNotFoundError(where),
    new Errors.RequestRejectedError(where),
    new Errors.RequestTimeoutError(where),
    new PartlineError("DATABASE_UNAVAILABLE", "The store cannot be reached"),
  ];

  it("is asked again of a node that hung, starts or is away, which is logged once", async () => {
    const { work, told, tries } = refusedFor(passing);
    expect(await waitUntilAnswered(work, { longestMs: 30_000, againMs: 1, onWait: (error) => told.push(error) })).toBe(
      "done",
    );
    expect([tries(), told]).toEqual([passing.length + 1, [passing[0]]]);
  });

  it("fails at once for another reason", async () => {
    const { work, told, tries } = refusedFor([new PartlineError("VALIDATION_FAILED", "no such vendor")]);
    await expect(
      waitUntilAnswered(work, { longestMs: 30_000, againMs: 1, onWait: (error) => told.push(error) }),
    ).rejects.toThrow("no such vendor");
    expect([tries(), told]).toEqual([1, []]);
  });

  it("is not asked again once nobody waits for it", async () => {
    const { work, tries } = refusedFor(passing);
    await expect(
      waitUntilAnswered(work, { longestMs: 30_000, againMs: 1, onWait: () => undefined, isOver: () => true }),
    ).rejects.toBe(passing[0]);
    expect(tries()).toBe(1);
  });

  it("was not answered where nobody has the service, and was by any other refusal", () => {
    const nobody = new Errors.MoleculerServerError("Services waiting is timed out.", 500, "WAITFOR_SERVICES");
    const answers = [new PartlineError("NOT_FOUND", "Part 1 not found"), new Error("fault"), undefined];
    expect([...passing, nobody, ...answers].map(isUnanswered)).toEqual([
      ...[...passing, nobody].map(() => true),
      ...answers.map(() => false),
    ]);
  });

  it("fails with the last reason when nobody answers in time", async () => {
    const { work } = refusedFor(Array<unknown>(10_000).fill(passing[0]));
    await expect(waitUntilAnswered(work, { longestMs: 50, againMs: 1, onWait: () => undefined })).rejects.toBe(
      passing[0],
    );
  });
});
