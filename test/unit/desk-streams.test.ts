import { expect, test } from "@jest/globals";
import { setImmediate as turn } from "node:timers/promises";
import type { CallContext } from "../../broker/contract/context.ts";
import { createDeskActions } from "../../services/ai/desk/actions.ts";
import { createDesk } from "../../packages/parts-desk/src/desk.ts";
import type { DeskSources } from "../../packages/parts-desk/src/port.ts";
import { FORGETFUL_DESK, shopSources } from "../../packages/parts-desk/test/desk.support.ts";

type Asked = CallContext<{ query: string; include_store_link: boolean }>;
const asked = (answerId: string) =>
  ({ params: { query: "What carburetor fits my GT-2254?", include_store_link: false }, meta: { answerId } }) as Asked;

function actionsOver(sources: Partial<DeskSources> = {}) {
  const shop = { ...shopSources(), ...sources };
  const desk = createDesk({
    sources: shop,
    ...FORGETFUL_DESK,
  });
  return createDeskActions(desk, () => shop);
}

test("a stream that is destroyed before it is read frees its place", async () => {
  const { queryStream } = actionsOver();
  for (let at = 0; at < 40; at += 1) {
    (await queryStream(asked(`dropped-${at}`))).destroy();
    await turn();
  }
  expect(await (await queryStream(asked("read"))).toArray()).toHaveLength(2);
});

test("an answer that is abandoned while it is looked up ends at once, its look-ups too", async () => {
  const looked: string[] = [];
  const never = (): Promise<never> => new Promise(() => void looked.push("passages"));
  const { queryStream, abandon: abandoned } = actionsOver({
    passages: never,
    offers: async () => (looked.push("offers"), []),
  });
  for (let at = 0; at < 40; at += 1) {
    const beginning = queryStream(asked(`left-${at}`));
    while (looked.length <= at) await turn();
    abandoned(`left-${at}`);
    await expect(beginning).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: "The caller no longer waits for this answer",
    });
  }
  expect(new Set(looked)).toEqual(new Set(["passages"]));
});

test("a limited number are streamed at a time, and further ones refused", async () => {
  const { queryStream, stop } = actionsOver();
  await Promise.all(Array.from({ length: 16 }, (_, at) => queryStream(asked(`open-${at}`))));
  await expect(queryStream(asked("further"))).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  stop();
  expect((await queryStream(asked("after"))).readable).toBe(true);
});
