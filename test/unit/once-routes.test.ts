import { expect, test } from "@jest/globals";
import type { Caller } from "../../broker/contract/context.ts";
import { toOnceRequest } from "../../gateway/http/idempotency.ts";
import type { EdgeRequest } from "@partline/http-edge";
import { createRouteTable } from "../../gateway/http/routes.ts";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { contracts } from "../../services/all-contracts.ts";

/** Why these POSTs take no Idempotency-Key. */
const WITHOUT_KEY = {
  "ai.query": "answers a question",
  "cart.clear": "a second one finds nothing to do",
  "catalog.import": "its body is a stream; rows without news are not written",
  "catalog.importInterchange": "its body is a stream; references without news are not written",
  "catalog.syncPage": "writes the supplier's rows, which a second one finds unchanged",
  "eventstore.replayDeadLetter": "a second one finds no letter, or the same one again",
  "eventstore.retryTask": "a second one finds a task that waits",
  "order.addReturnPhoto": "its body is a stream; a return takes three photos",
  "order.addReturnPhotoByLink": "its body is a stream; a return takes three photos",
  "order.guestErase": "a second one finds nothing to erase",
  "order.lookUp": "a number takes six requests an hour",
  "order.receiveParcelNews": "a parcel arrives once, however often its carrier says so",
  "payment.receiveWebhook": "the provider's events have ids",
  "pipeline.upload": "its body is a stream; the same bytes are one piece of work",
  "user.receiveIdentityEvent": "the provider's events have ids",
  "user.redeemSignIn": "a link is for one sign-in",
  "user.requestSignIn": "an address is sent at most five links in 15 minutes",
};

test("every POST runs once for an Idempotency-Key, is idempotent, or does without for a reason", () => {
  const posts = (contracts as readonly ServiceContract[]).flatMap(({ name, actions }) =>
    Object.entries(actions)
      .filter(([, { http = [] }]) => http.some(({ method }) => method === "POST"))
      .map(([action, definition]) => ({ name: `${name}.${action}`, ...definition })),
  );
  expect(posts.filter(({ once, idempotent }) => once && idempotent)).toEqual([]);
  const others = posts.filter(({ once, idempotent }) => !once && !idempotent).map(({ name }) => name);
  expect(others.sort()).toEqual(Object.keys(WITHOUT_KEY));
});

test("a key is its caller's: a user's, a system's, staff's or a session's", () => {
  const user = (sub: string): Caller => ({ admin: false, user: { sub, role: "customer", aud: "a", azp: "z" } });
  const system = (keyId: string): Caller => ({ admin: false, key: { keyId, scopes: [] } });
  const callers: Caller[] = [
    { admin: false },
    { admin: true },
    ...["s1", "s2"].map((sessionId) => ({ admin: false, sessionId })),
    ...["u1", "u2"].map(user),
    ...["k1", "k2"].map(system),
  ];
  const req = { headers: { "idempotency-key": "key" } } as unknown as EdgeRequest;
  const [route] = createRouteTable(contracts, "gateway").routes.filter(({ definition }) => definition.once);
  const ids = callers.map((caller) => toOnceRequest(req, route!, caller, {})!.id);
  expect(new Set(ids).size).toBe(callers.length);
  // Another session of a user is no other caller.
  expect(toOnceRequest(req, route!, { ...user("u1"), sessionId: "s1" }, {})!.id).toBe(ids[4]);
});
