import { describe, expect, it } from "@jest/globals";
import { KeyedQueue } from "../../packages/toolkit/src/keyed-queue.ts";
import { tooMany } from "../../mixins/errors.ts";

describe("A keyed queue", () => {
  it("runs the tasks of a key one after another, in their order", async () => {
    const queue = new KeyedQueue();
    const log: string[] = [];
    const task = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
    };
    await Promise.all(["a", "b", "c"].map((name) => queue.run("key", task(name))));
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("lets the tasks of other keys run meanwhile", async () => {
    const queue = new KeyedQueue();
    let open = (): void => undefined;
    const blocked = queue.run("a", () => new Promise<void>((resolve) => (open = resolve)));
    expect(await queue.run("b", () => Promise.resolve("done"))).toBe("done");
    open();
    await blocked;
  });

  it("refuses what is beyond its bound of a key, and takes it when there is room", async () => {
    const queue = new KeyedQueue(2, () => tooMany(2));
    let open = (): void => undefined;
    const first = queue.run("a", () => new Promise<void>((resolve) => (open = resolve)));
    const second = queue.run("a", () => Promise.resolve("second"));
    await expect(queue.run("a", () => Promise.resolve("third"))).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await queue.run("b", () => Promise.resolve("other"))).toBe("other");
    open();
    await first;
    expect(await second).toBe("second");
    expect(await queue.run("a", () => Promise.resolve("later"))).toBe("later");
  });

  it("goes on after a task that fails, whose caller alone gets the error", async () => {
    const queue = new KeyedQueue();
    const failed = queue.run("key", () => Promise.reject(new Error("no")));
    const next = queue.run("key", () => Promise.resolve("yes"));
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });
});
