import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { LONGEST_STOP_MS } from "../../bin/stop-node.ts";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { LONGEST_CALLS_MS, USUAL_TIMEOUT_MS } from "@partline/moleculer-kit";
import { contracts } from "../../services/all-contracts.ts";

/** In production, unless it is set. */
const DRAIN_SECONDS = 5;

/** docs/operations.md lists them for operators. */
const MAY_BE_CUT_OFF = [
  // Four requests of the provider in a row, where it takes almost as long as it may over each.
  "customer.create",
  "customer.createSetupIntent",
  "customer.listPaymentMethods",
  "customer.removePaymentMethod",
  "customer.setDefaultPaymentMethod",
  "customer.livingProviderId",
  // Reading much, and uploads, which are sent again.
  "order.adminStats",
  "payment.reconcile",
  "catalog.import",
  "catalog.importInterchange",
  "catalog.removeInterchange",
  "catalog.syncPage",
  "media.put",
  "media.putPhoto",
  "order.addReturnPhoto",
  "order.addReturnPhotoByLink",
  "pipeline.upload",
  "pipeline.processBucket",
  "pipeline.readAgain",
  // Builds and rollbacks, which are begun again, and drawings, which are asked for again.
  "search.refresh",
  "search.rollback",
  "media.get",
  "media.makeVariant",
  "pipeline.pageImage",
  "pipeline.drawPage",
  // A slow mail server; a link is asked for again.
  "mail.sendSignInLink",
  "user.requestSignIn",
  // Answers that a model makes.
  "ai.query",
  "ai.queryStream",
  "ai.testChat",
];

test("a stop lets finish what actions may take, except for those that are known to take longer", () => {
  const longer = (contracts as readonly ServiceContract[]).flatMap(({ name, actions }) =>
    Object.entries(actions).flatMap(([action, { timeout = USUAL_TIMEOUT_MS }]) =>
      timeout > LONGEST_CALLS_MS ? [`${name}.${action}`] : [],
    ),
  );
  expect(longer.toSorted()).toEqual(MAY_BE_CUT_OFF.toSorted());
});

test("a whole stop ends before compose ends the process", () => {
  const compose = readFileSync(new URL("../../docker/compose.yml", import.meta.url), "utf8");
  const [, seconds] = /^ {2}stop_grace_period: (\d+)s$/m.exec(compose)!;
  expect(DRAIN_SECONDS * 1_000 + LONGEST_STOP_MS).toBeLessThan(Number(seconds) * 1_000);
});
