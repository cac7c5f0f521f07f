import type { OrderAdminRefundParams, OrderAdminReturnParams } from "@partline/client";

export type RefundReason = NonNullable<OrderAdminRefundParams["reason"]>;
export type ReturnReason = NonNullable<OrderAdminReturnParams["reason"]>;

export const REFUND_REASONS: readonly (readonly [RefundReason, string])[] = [
  ["requested_by_customer", "The buyer asked for it"],
  ["duplicate", "Ordered twice"],
  ["fraudulent", "Fraud"],
  ["other", "Another reason"],
];

export const RETURN_REASONS: readonly (readonly [ReturnReason, string])[] = [
  ["not_needed", "Not needed"],
  ["wrong_part", "Wrong part"],
  ["defective", "Defective"],
  ["damaged", "Damaged"],
  ["other", "Another reason"],
];
