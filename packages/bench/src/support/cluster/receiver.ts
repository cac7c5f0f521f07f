import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { eventually } from "../../../../../test/support/eventually.ts";
import { startWorkerProcess } from "../../../../../test/support/worker-process.ts";
import type { Cluster } from "./cluster.ts";
import type { FinalWebhooks } from "./final-state.ts";
import type { Wish } from "./receiver.worker.ts";

const WORKER = fileURLToPath(new URL("./receiver.worker.ts", import.meta.url));

export interface Receiver {
  notes(): Promise<FinalWebhooks>;
  close(): Promise<unknown>;
}

/** Another system, which is sent every order that is made from now on. */
export async function addReceiver({ gateways, adminToken }: Cluster): Promise<Receiver> {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const { ask, kill } = await startWorkerProcess<Wish>(WORKER, [secret]);
  const url = await ask<string>({ do: "address" });
  await eventually(async () => {
    const answer = await fetch(`${gateways[0]!.url("gateway")}/api/admin/webhooks`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-admin-token": adminToken, "idempotency-key": secret },
      body: JSON.stringify({ url, secret, eventTypes: ["order.created"] }),
    });
    if (answer.status !== 201) throw new Error(`The receiver is no endpoint: ${await answer.text()}`);
    return true;
  }, 60_000);
  return { notes: () => ask<FinalWebhooks>({ do: "notes" }), close: kill };
}
