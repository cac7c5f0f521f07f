import type {
  OrderAdminReceiveReturnParams,
  OrderAdminRefundParams,
  OrderAdminReturnParams,
  OrderAdminSettleRefundParams,
} from "@partline/client";
import { texts } from "../texts.ts";

export type RefundReason = NonNullable<OrderAdminRefundParams["reason"]>;
export type ReturnCondition = NonNullable<OrderAdminReceiveReturnParams["condition"]>;
export type PaidBy = OrderAdminSettleRefundParams["paidBy"];
export type ReturnReason = NonNullable<OrderAdminReturnParams["reason"]>;

const t = texts.reasons;

export const REFUND_REASONS: readonly (readonly [RefundReason, string])[] = [
  ["requested_by_customer", t.requested],
  ["out_of_stock", t.outOfStock],
  ["duplicate", t.duplicate],
  ["fraudulent", t.fraud],
  ["other", t.other],
];

export const PAID_BY: readonly (readonly [PaidBy, string])[] = [
  ["check", t.check],
  ["cash", t.cash],
  ["bank_transfer", t.bankTransfer],
  ["other", t.otherWay],
];

export const namePaidBy = (way: string | undefined): string | undefined =>
  PAID_BY.find(([value]) => value === way)?.[1];

export const RETURN_REASONS: readonly (readonly [ReturnReason, string])[] = [
  ["not_needed", t.notNeeded],
  ["wrong_part", t.wrongPart],
  ["defective", t.defective],
  ["damaged", t.damaged],
  ["other", t.other],
];

export const RETURN_CONDITIONS: readonly (readonly [ReturnCondition, string])[] = [
  ["resalable", t.resalable],
  ["damaged", t.damaged],
  ["incomplete", t.incomplete],
];
