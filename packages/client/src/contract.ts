// Made by `npm run docs` from the contracts of the services.

import type { CallOptions, FileBody } from "./options.ts";

/** What refusals say. */
export type ErrorCode =
  | "VALIDATION_FAILED"
  | "INVALID_SIGNATURE"
  | "INVALID_JSON"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "CART_EXISTS"
  | "ORDER_NOT_CANCELLABLE"
  | "OUT_OF_STOCK"
  | "ADDRESS_MISSING"
  | "PAYMENT_DISPUTED"
  | "SHIPPING_UNDERPAID"
  | "INVALID_TRANSITION"
  | "BUILD_RUNNING"
  | "VERSION_CONFLICT"
  | "IDEMPOTENCY_KEY_REUSED"
  | "IDEMPOTENCY_KEY_IN_USE"
  | "PRECONDITION_FAILED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "RANGE_NOT_SATISFIABLE"
  | "RATE_LIMITED"
  | "CLIENT_CLOSED_REQUEST"
  | "INTERNAL_ERROR"
  | "PROVIDER_ERROR"
  | "DATABASE_UNAVAILABLE"
  | "SERVICE_UNAVAILABLE"
  | "TIMEOUT";

/** The refusals that every function may meet. */
export type CommonErrorCode =
  | "VALIDATION_FAILED"
  | "METHOD_NOT_ALLOWED"
  | "RATE_LIMITED"
  | "INTERNAL_ERROR"
  | "DATABASE_UNAVAILABLE"
  | "SERVICE_UNAVAILABLE"
  | "TIMEOUT";

/** The refusals of each function. */
export interface ErrorCodes {
  "cart.save":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "CART_EXISTS"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "cart.saveForCheckout":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "CART_EXISTS"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "cart.get": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "cart.remove": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "cart.current": CommonErrorCode | "UNAUTHORIZED" | "PROVIDER_ERROR";
  "cart.sync":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "cart.clear":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "cart.addItem":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "cart.setQuantity":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "cart.replaceItem":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "cart.getForUser": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "cart.replaceForUser":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "cart.removeForUser":
    CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "VERSION_CONFLICT" | "PROVIDER_ERROR";
  "payment.createCheckoutSession":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "OUT_OF_STOCK"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "payment.quoteShipping":
    CommonErrorCode | "INVALID_JSON" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "PROVIDER_ERROR";
  "payment.createPaymentIntent":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "OUT_OF_STOCK"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "payment.verify": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "order.bySession": CommonErrorCode | "NOT_FOUND";
  "order.byPayment": CommonErrorCode | "NOT_FOUND";
  "order.get": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "order.listForUser": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "order.exportForUser": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "order.cancel":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "ORDER_NOT_CANCELLABLE"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminList": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "order.adminSearch":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminStats": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "order.adminGet": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "order.adminUpdate":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "ORDER_NOT_CANCELLABLE"
    | "PAYMENT_DISPUTED"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminRefund":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYMENT_DISPUTED"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.setShippingAddress":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "SHIPPING_UNDERPAID"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminShip":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "ADDRESS_MISSING"
    | "PAYMENT_DISPUTED"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminCorrectShipment":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminDelay":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminCancelLines":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYMENT_DISPUTED"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminNote":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminRemoveNote":
    CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "VERSION_CONFLICT" | "PROVIDER_ERROR";
  "order.adminReturn":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminReceiveReturn":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYMENT_DISPUTED"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminCancelReturn":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.guestExport":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.guestErase":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.adminHistory": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "order.byLink": CommonErrorCode | "NOT_FOUND";
  "order.cancelByLink":
    | CommonErrorCode
    | "INVALID_JSON"
    | "NOT_FOUND"
    | "ORDER_NOT_CANCELLABLE"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.setAddressByLink":
    | CommonErrorCode
    | "INVALID_JSON"
    | "NOT_FOUND"
    | "SHIPPING_UNDERPAID"
    | "INVALID_TRANSITION"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "order.invoiceByLink":
    CommonErrorCode | "NOT_FOUND" | "VERSION_CONFLICT" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE";
  "order.invoiceForOwner":
    | CommonErrorCode
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PRECONDITION_FAILED"
    | "RANGE_NOT_SATISFIABLE"
    | "PROVIDER_ERROR";
  "order.packingSlip":
    | CommonErrorCode
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PRECONDITION_FAILED"
    | "RANGE_NOT_SATISFIABLE"
    | "PROVIDER_ERROR";
  "order.invoice":
    | CommonErrorCode
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PRECONDITION_FAILED"
    | "RANGE_NOT_SATISFIABLE"
    | "PROVIDER_ERROR";
  "order.export": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "order.exportLines": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "customer.create":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "customer.get": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "customer.createSetupIntent":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "customer.listPaymentMethods": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "customer.removePaymentMethod": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "customer.setDefaultPaymentMethod":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "customer.export": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "user.me": CommonErrorCode | "UNAUTHORIZED" | "NOT_FOUND" | "PROVIDER_ERROR";
  "user.updateMe":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "user.list": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "user.search":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "user.get": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "user.update":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "access.createKey":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "access.keys": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "access.key": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "access.revokeKey": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "access.audit": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "access.exportUser": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "catalog.import":
    | CommonErrorCode
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "catalog.imports": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "catalog.importReport": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "catalog.importInterchange":
    | CommonErrorCode
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "catalog.interchange": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "catalog.removeInterchange": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "catalog.removeCrossReference": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "catalog.syncPage":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "catalog.batchSync":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "catalog.refresh":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "catalog.sync": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "catalog.syncs": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "catalog.parts": CommonErrorCode | "NOT_FOUND";
  "catalog.sitemap": CommonErrorCode;
  "catalog.sitemapPage": CommonErrorCode | "NOT_FOUND";
  "catalog.export": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "catalog.part": CommonErrorCode | "NOT_FOUND";
  "catalog.supersession": CommonErrorCode | "NOT_FOUND";
  "catalog.vendors": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "catalog.setVendor":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "catalog.resetVendor": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "catalog.timetable": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "catalog.pauseJob":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "catalog.resumeJob":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "search.search": CommonErrorCode;
  "search.filters": CommonErrorCode;
  "search.suggest": CommonErrorCode;
  "search.instantsearch": CommonErrorCode | "INVALID_JSON" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE";
  "search.algoliaQueries":
    CommonErrorCode | "INVALID_JSON" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE";
  "search.algoliaQuery":
    CommonErrorCode | "INVALID_JSON" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE";
  "search.algoliaFacet":
    CommonErrorCode | "INVALID_JSON" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE";
  "search.algoliaObject": CommonErrorCode | "NOT_FOUND";
  "search.algoliaObjects":
    CommonErrorCode | "INVALID_JSON" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE";
  "search.ai": CommonErrorCode;
  "search.part": CommonErrorCode | "NOT_FOUND";
  "search.aiPart": CommonErrorCode | "NOT_FOUND";
  "search.aiAvailability": CommonErrorCode | "INVALID_JSON" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE";
  "search.reindex":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "BUILD_RUNNING"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "search.build": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "search.builds": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "search.indexes": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "search.rollback":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "search.synonyms": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "search.setSynonyms":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "search.trySynonyms":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "search.resetSynonyms": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "eventstore.store":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "eventstore.append":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "VERSION_CONFLICT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "eventstore.list": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "eventstore.tail": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "eventstore.state": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "eventstore.stats": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "eventstore.deadLetters": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "eventstore.replayDeadLetter":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "eventstore.dropDeadLetter": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "eventstore.tasks": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "eventstore.task": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "eventstore.retryTask":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "eventstore.dropTask": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "mail.listForOrder": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "mail.sendAgain":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "media.put":
    CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "PROVIDER_ERROR";
  "media.get": CommonErrorCode | "NOT_FOUND" | "VERSION_CONFLICT" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE";
  "media.remove": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "analytics.overview": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.orders": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.revenue": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.conversion": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.parts": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.searches": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.zeroHits": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.projections": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.exportSearches": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "analytics.rebuild":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "healthAnalytics.overview": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "healthAnalytics.nodes": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "healthAnalytics.node": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "healthAnalytics.entryPoints": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "healthAnalytics.latency": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "healthAnalytics.queues": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "healthAnalytics.incidents": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "ai.equipment": CommonErrorCode;
  "ai.diagrams": CommonErrorCode;
  "ai.manuals": CommonErrorCode;
  "ai.manualPage": CommonErrorCode | "NOT_FOUND";
  "ai.fitmentMakes": CommonErrorCode;
  "ai.fitmentModels": CommonErrorCode;
  "ai.fitmentFigures": CommonErrorCode | "NOT_FOUND";
  "ai.fitmentFigure": CommonErrorCode | "NOT_FOUND";
  "ai.query":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "ai.queryStream":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "ai.testChat": CommonErrorCode;
  "pipeline.upload":
    | CommonErrorCode
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "pipeline.processBucket":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "pipeline.jobs": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "pipeline.job": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "pipeline.jobParts": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "pipeline.cancel": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "pipeline.jobEvents": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "pipeline.overview": CommonErrorCode | "NOT_FOUND";
  "pipeline.correct":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "VERSION_CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "pipeline.remove":
    CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "VERSION_CONFLICT" | "PROVIDER_ERROR";
  "pipeline.source":
    CommonErrorCode | "NOT_FOUND" | "VERSION_CONFLICT" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE";
  "pipeline.image":
    CommonErrorCode | "NOT_FOUND" | "VERSION_CONFLICT" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE";
  "pipeline.table":
    CommonErrorCode | "NOT_FOUND" | "VERSION_CONFLICT" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE";
  "pipeline.pageImage":
    CommonErrorCode | "NOT_FOUND" | "VERSION_CONFLICT" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE";
  "pipeline.pageText":
    CommonErrorCode | "NOT_FOUND" | "VERSION_CONFLICT" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE";
  "pipeline.pageFindings": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "webhook.listEndpoints": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "PROVIDER_ERROR";
  "webhook.createEndpoint":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "webhook.getEndpoint": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "webhook.updateEndpoint":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "webhook.deleteEndpoint": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "webhook.rotateSecret":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "webhook.listDeliveries": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "webhook.getDelivery": CommonErrorCode | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "PROVIDER_ERROR";
  "webhook.sendTest":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "INVALID_TRANSITION"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "webhook.replayDelivery":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "INVALID_TRANSITION"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
  "webhook.replayDeliveries":
    | CommonErrorCode
    | "INVALID_JSON"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "INVALID_TRANSITION"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_KEY_IN_USE"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "PROVIDER_ERROR";
}

export type EntryPoint =
  | "cart"
  | "search"
  | "media"
  | "payment"
  | "user"
  | "catalog"
  | "analytics"
  | "health-analytics"
  | "ai"
  | "eventstore"
  | "pipeline"
  | "shop"
  | "console";

/** A function for each route. */
export interface Partline {
  /** Saved carts by cartId, and the own cart of each user and guest. */
  cart: {
    /** Save a cart: a user's stays, a guest's ends after 90 days.
     * An unexpired cart with this cartId is 409, regardless of the items. It counts for the guests' daily budget of storage.
     * `POST /api/cart` */
    save(params: CartSaveParams, options?: CallOptions): Promise<Cart>;

    /** Save a cart for checkout, for 24 hours.
     * An unexpired cart with this cartId is 409, regardless of the items. It counts for the guests' daily budget of storage.
     * `POST /api/cart` */
    saveForCheckout(params: CartSaveForCheckoutParams, options?: CallOptions): Promise<Cart>;

    /** Read a saved cart.
     * `GET /api/cart/{cartId}` */
    get(params: CartGetParams, options?: CallOptions): Promise<Cart>;

    /** Delete a saved cart.
     * `DELETE /api/cart/{cartId}` */
    remove(params: CartRemoveParams, options?: CallOptions): Promise<Deleted>;

    /** Read the caller's own cart.
     * The caller's own cart is that of the bearer token's user, else that of X-Session-Id; neither is 401. With both, the session's cart is first merged into the user's: quantities add up, at most 9,999 a line and 100 lines. A session's cart is deleted 90 days after its last change; a user's stays.
     * `GET /api/cart` */
    current(params?: Record<string, never>, options?: CallOptions): Promise<OwnCart>;

    /** Replace the caller's own cart, or add to it.
     * The caller's own cart is that of the bearer token's user, else that of X-Session-Id; neither is 401. With both, the session's cart is first merged into the user's: quantities add up, at most 9,999 a line and 100 lines. A session's cart is deleted 90 days after its last change; a user's stays. It counts for the guests' daily budget of storage.
     * `PUT /api/cart/sync` */
    sync(params: CartSyncParams, options?: CallOptions): Promise<OwnCart>;

    /** Empty the caller's own cart.
     * The caller's own cart is that of the bearer token's user, else that of X-Session-Id; neither is 401. With both, the session's cart is first merged into the user's: quantities add up, at most 9,999 a line and 100 lines. A session's cart is deleted 90 days after its last change; a user's stays.
     * `POST /api/cart/clear` */
    clear(params?: Record<string, never>, options?: CallOptions): Promise<OwnCart>;

    /** Add a line to the caller's own cart, or to the quantity of the line that is there.
     * The caller's own cart is that of the bearer token's user, else that of X-Session-Id; neither is 401. With both, the session's cart is first merged into the user's: quantities add up, at most 9,999 a line and 100 lines. A session's cart is deleted 90 days after its last change; a user's stays. Concurrent requests all count. The line takes the title, price and other fields that were sent last. It counts for the guests' daily budget of storage.
     * `POST /api/cart/items` */
    addItem(params: CartAddItemParams, options?: CallOptions): Promise<OwnCart>;

    /** Set the quantity of a line of the caller's own cart; 0 removes it.
     * The caller's own cart is that of the bearer token's user, else that of X-Session-Id; neither is 401. With both, the session's cart is first merged into the user's: quantities add up, at most 9,999 a line and 100 lines. A session's cart is deleted 90 days after its last change; a user's stays. Removing a line that does not exist is no error; another quantity of it is 404.
     * `PATCH /api/cart/items/{productId}` */
    setQuantity(params: CartSetQuantityParams, options?: CallOptions): Promise<OwnCart>;

    /** Replace a line of the caller's own cart by the part that supersedes it.
     * The caller's own cart is that of the bearer token's user, else that of X-Session-Id; neither is 401. With both, the session's cart is first merged into the user's: quantities add up, at most 9,999 a line and 100 lines. A session's cart is deleted 90 days after its last change; a user's stays. The part is the successor that a checkout's refusal names. It takes the line's quantity and place, at its price in the catalog; if the cart has a line of it, both are added up. Without that line, or without an active successor that has a price, it is 404.
     * `POST /api/cart/items/{productId}/replace` */
    replaceItem(params: CartReplaceItemParams, options?: CallOptions): Promise<OwnCart>;

    /** Read a user's cart (the user or an admin).
     * `GET /api/cart/user/{userId}` */
    getForUser(params: CartGetForUserParams, options?: CallOptions): Promise<UserCart>;

    /** Replace a user's cart (the user or an admin).
     * `PUT /api/cart/user/{userId}` */
    replaceForUser(params: CartReplaceForUserParams, options?: CallOptions): Promise<UserCart>;

    /** Delete a user's cart (the user or an admin).
     * `DELETE /api/cart/user/{userId}` */
    removeForUser(params: CartRemoveForUserParams, options?: CallOptions): Promise<Deleted>;
  };

  /** Hosted checkout, payment intents, the payment provider's webhooks. */
  payment: {
    /** Open a hosted checkout session; the shopper pays at its url.
     * Every item's unitPrice must equal its price in the catalog, to the cent. A refusal names all: `details` lists every item whose price changed as { partNumber, oldPrice, newPrice }, and every one that cannot be sold as { field, message }; a discontinued one has its `successor` { productId, partNumber, title, price, availability }. With a cartId the call is idempotent: as long as that cart's session is open or paid, everybody who submits the cartId gets it, regardless of the items: new items need a new cartId, or `replace`, and `itemsDiffer` says so. A paid session has the status complete and an orderId, and its url takes no more payments. After an expired session or a failed attempt a new one is opened. A cart that was paid by a payment intent is refused. If a guest, or another user of the cart's X-Session-Id, opened the session and a signed-in customer submits the cart, the session is closed and the customer gets a new one; a paid session keeps its owner.
     * `POST /api/checkout/session` */
    createCheckoutSession(params: PaymentCreateCheckoutSessionParams, options?: CallOptions): Promise<CheckoutSession>;

    /** List what shipping costs.
     * The methods that take all of the items to the destination, the cheapest first; none if nothing does. Of the destination, country, state and postal code count. A checkout or a payment intent takes a `quote` for 30 minutes, for the same items at the same prices and for the same destination, also more than once. Prices are the catalog's.
     * `POST /api/shipping/quotes` */
    quoteShipping(params: PaymentQuoteShippingParams, options?: CallOptions): Promise<ShippingQuotes>;

    /** Create a payment intent for a saved cart, for the store's own payment form.
     * Every item's unitPrice must equal its price in the catalog, to the cent. A refusal names all: `details` lists every item whose price changed as { partNumber, oldPrice, newPrice }, and every one that cannot be sold as { field, message }; a discontinued one has its `successor` { productId, partNumber, title, price, availability }. The same cartId and amount again give the same intent. Once it is paid, the cart becomes an order like after a hosted checkout. Once a cart is paid, its other sessions and intents can no longer be paid, and a cart that is paid while an intent is being made for it is refused. An intent of a guest or of another user is replaced as at checkout; if it is paid, the cart is refused. With a `quote` the intent takes subtotal, shipping, and tax as the provider calculates it (STRIPE_AUTOMATIC_TAX). Without one it takes the `amount`, which holds no tax. Where shipping costs are configured, and in production, that must be enough for the cart and the cheapest method to the `shippingAddress`, or to the shop's own place without one; a refusal says how much is.
     * `POST /api/payment-intent` */
    createPaymentIntent(params: PaymentCreatePaymentIntentParams, options?: CallOptions): Promise<PaymentIntent>;

    /** Get a payment's status from the provider.
     * Open to every caller who may use the cart that the payment is for.
     * `GET /api/payment/verify/{paymentIntentId}` */
    verify(params: PaymentVerifyParams, options?: CallOptions): Promise<PaymentVerification>;
  };

  /** Orders: made when a payment completes, shipped, cancelled and refunded. */
  order: {
    /** Find the order of a checkout session.
     * 404 until the payment provider reports the session as completed.
     * `GET /api/orders/by-session/{sessionId}` */
    bySession(params: OrderBySessionParams, options?: CallOptions): Promise<OrderLookup>;

    /** Find the order of a payment intent.
     * `GET /api/orders/by-payment/{paymentIntentId}` */
    byPayment(params: OrderByPaymentParams, options?: CallOptions): Promise<OrderLookup>;

    /** Read an order.
     * For its owner and for admins.
     * `GET /api/orders/{orderId}` */
    get(params: OrderGetParams, options?: CallOptions): Promise<Order>;

    /** List a user's orders.
     * For that user and for admins. A user without orders has an empty list.
     * `GET /api/orders/user/{userId}` */
    listForUser(params: OrderListForUserParams, options?: CallOptions): Promise<OrderList>;

    /** Export the personal data in a user's orders.
     * For that user and for admins. Once the account is deleted there is none.
     * `GET /api/orders/user/{userId}/export` */
    exportForUser(params: OrderExportForUserParams, options?: CallOptions): Promise<OrderExports>;

    /** Cancel an order and refund what was paid.
     * Possible until the order is shipped, for its owner and for admins (a bearer token, or X-Admin-Token). The rest of the payment is refunded at the payment provider; if the provider refuses, the answer is 502 and the order stays as it was. What a dispute holds or took is not refunded: it cancels the order all the same, and the money is refunded if the dispute is won. forceCancel (admins) cancels the order all the same. The part of a cancelled order's payment that is not refunded, also because the provider fails a refund days later, is `refundDue` and retried in the background until it succeeds. Several cancellations at once make one refund: those that come while the order is being cancelled get the same answer, later ones 409, also while its refund is due. After 504 the cancellation continues in the background. Repeat a request whose answer was lost with the same Idempotency-Key: it gets the first answer.
     * `POST /api/orders/{orderId}/cancel` */
    cancel(params: OrderCancelParams, options?: CallOptions): Promise<CancelledOrder>;

    /** List all orders.
     * By pages, which are counted: far ones take long. For many orders: POST /api/admin/orders/search.
     * `GET /api/admin/orders` */
    adminList(params?: OrderAdminListParams, options?: CallOptions): Promise<AdminOrderList>;

    /** Search all orders, also by e-mail address.
     * From a cursor on, uncounted; a page of large orders is shorter than `pageSize`. A person's address belongs in a body: the URLs of requests are logged.
     * `POST /api/admin/orders/search` */
    adminSearch(params?: OrderAdminSearchParams, options?: CallOptions): Promise<FoundOrders>;

    /** Count orders and revenue.
     * Over the orders created in the period; each field's description says which of them it counts.
     * `GET /api/admin/orders/stats` */
    adminStats(params?: OrderAdminStatsParams, options?: CallOptions): Promise<OrderStats>;

    /** Read an order with its admin fields.
     * `GET /api/admin/orders/{orderId}` */
    adminGet(params: OrderAdminGetParams, options?: CallOptions): Promise<AdminOrder>;

    /** Change an order's status, tracking or note.
     * The status goes pending, processing, shipped, delivered, one step at a time; the current status changes nothing. An order can be shipped only when it is paid: a pending or failed payment is 409. A fully refunded order can be neither processed nor shipped (409). `cancelled` is the cancel action (reason requested_by_customer), needs the scope `orders:refund`, and takes no tracking. With version, only the version that was read is changed.
     * `PATCH /api/admin/orders/{orderId}` */
    adminUpdate(params: OrderAdminUpdateParams, options?: CallOptions): Promise<UpdatedOrder>;

    /** Refund part or all of an order.
     * Takes an amount, or items at the price paid for them (their share of the total without shipping: with tax, less discounts), or neither to refund the rest. Name an item by its productId, or by its partNumber if no other product of the order has the same. Several refunds are possible, together at most the order's total; pending ones count. Repeating a refund (the same items, or without items the same amount) after 502 never pays twice, even if the provider's webhook has reported its success meanwhile. After 504 the refund is among the order's refunds and continues in the background: repeating it would make another one.
     * `POST /api/admin/orders/{orderId}/refunds` */
    adminRefund(params: OrderAdminRefundParams, options?: CallOptions): Promise<RefundedOrder>;

    /** Set the address that an order is shipped to.
     * A whole address: name, street, city, country (ISO 3166), and state and postal code where the country has them. Possible until anything is shipped, for its owner and for admins. An address that costs more to ship to than was paid is 409 for its owner, with the difference; so is another state where tax was paid for one. An admin may set it: the order then is `shippingUnderpaid`.
     * `PUT /api/orders/{orderId}/shipping-address` */
    setShippingAddress(params: OrderSetShippingAddressParams, options?: CallOptions): Promise<Order>;

    /** Ship pieces of an order.
     * Several shipments are possible; without lines one of all that is left. Two shipments of the same piece at once: one of them is 409. The order's status follows: processing, and shipped with its last piece. A part of an order that is shipped can be cancelled no more. An order that ships and has no whole address is 409.
     * `POST /api/admin/orders/{orderId}/shipments` */
    adminShip(params: OrderAdminShipParams, options?: CallOptions): Promise<AdminOrder>;

    /** Correct the carrier and tracking number of a shipment.
     * The buyer gets no mail of it, and finds it behind the link of every mail.
     * `PATCH /api/admin/orders/{orderId}/shipments/{shipmentId}` */
    adminCorrectShipment(params: OrderAdminCorrectShipmentParams, options?: CallOptions): Promise<AdminOrder>;

    /** Announce to the buyer when pieces of an order are expected.
     * Of the lines, or of all that is not shipped. The buyer gets a mail.
     * `POST /api/admin/orders/{orderId}/delays` */
    adminDelay(params: OrderAdminDelayParams, options?: CallOptions): Promise<AdminOrder>;

    /** Cancel pieces of an order and refund them.
     * Pieces that are not shipped. Their share of the payment is refunded as by a refund of items, at most what is left of it; if the provider refuses, the answer is 502 and the order stays as it was. With its last piece the order is cancelled, and the rest of the payment refunded.
     * `POST /api/admin/orders/{orderId}/lines/cancel` */
    adminCancelLines(params: OrderAdminCancelLinesParams, options?: CallOptions): Promise<RefundedOrder>;

    /** Add a note to an order.
     * Staff alone see it. It is erased with the data of the order's person.
     * `POST /api/admin/orders/{orderId}/notes` */
    adminNote(params: OrderAdminNoteParams, options?: CallOptions): Promise<AdminOrder>;

    /** Remove a note of an order.
     * `DELETE /api/admin/orders/{orderId}/notes/{noteId}` */
    adminRemoveNote(params: OrderAdminRemoveNoteParams, options?: CallOptions): Promise<AdminOrder>;

    /** Expect pieces of an order back.
     * Pieces that were shipped. Their receipt refunds them, less the restocking fee.
     * `POST /api/admin/orders/{orderId}/returns` */
    adminReturn(params: OrderAdminReturnParams, options?: CallOptions): Promise<AdminOrder>;

    /** Note that pieces of a return have come, and refund them.
     * All that are awaited, or the `lines`; the rest is awaited on. The restocking fee is kept of what comes first. A repeat without lines refunds nothing more and gets the same refund.
     * `POST /api/admin/orders/{orderId}/returns/{returnId}/receipt` */
    adminReceiveReturn(params: OrderAdminReceiveReturnParams, options?: CallOptions): Promise<RefundedOrder>;

    /** Call off a return, or the rest of it.
     * What is still awaited can be announced again. A repeat changes nothing.
     * `POST /api/admin/orders/{orderId}/returns/{returnId}/cancel` */
    adminCancelReturn(params: OrderAdminCancelReturnParams, options?: CallOptions): Promise<AdminOrder>;

    /** Export the personal data in a guest's order.
     * `POST /api/admin/orders/guest-data/export` */
    guestExport(params: OrderGuestExportParams, options?: CallOptions): Promise<OrderExport>;

    /** Erase the personal data in a guest's order.
     * The order stays, without its contact, address, metadata and note. One without a contact, as after an erasure, is found by its number alone.
     * `POST /api/admin/orders/guest-data/erase` */
    guestErase(
      params: OrderGuestEraseParams,
      options?: CallOptions,
    ): Promise<{
      orderId: string;
      /** Names of the fields */
      erased: string[];
    }>;

    /** Read who changed an order, when and how.
     * The order's events from the event store, in the order of the versions that they made.
     * `GET /api/admin/orders/{orderId}/history` */
    adminHistory(params: OrderAdminHistoryParams, options?: CallOptions): Promise<OrderHistory>;

    /** Read the order of a link in a mail.
     * A link is valid for 90 days; one that is forged or too old is 404, as for the other paths below it.
     * `GET /api/orders/by-link/{token}` */
    byLink(params: OrderByLinkParams, options?: CallOptions): Promise<Order>;

    /** Cancel the order of a link, and refund what was paid.
     * As its owner does.
     * `POST /api/orders/by-link/{token}/cancel` */
    cancelByLink(params: OrderCancelByLinkParams, options?: CallOptions): Promise<CancelledOrder>;

    /** Set the address that the order of a link is shipped to.
     * As its owner does.
     * `PUT /api/orders/by-link/{token}/shipping-address` */
    setAddressByLink(params: OrderSetAddressByLinkParams, options?: CallOptions): Promise<Order>;

    /** Read the invoice of the order of a link (PDF).
     * `GET /api/orders/by-link/{token}/invoice.pdf` */
    invoiceByLink(params: OrderInvoiceByLinkParams, options?: CallOptions): Promise<Response>;

    /** Read the invoice of one's own order (PDF).
     * `GET /api/orders/{orderId}/invoice.pdf` */
    invoiceForOwner(params: OrderInvoiceForOwnerParams, options?: CallOptions): Promise<Response>;

    /** Read an order's packing slip (PDF).
     * Where it goes, how, and how many of what are left to pack; no prices.
     * `GET /api/admin/orders/{orderId}/packing-slip.pdf` */
    packingSlip(params: OrderPackingSlipParams, options?: CallOptions): Promise<Response>;

    /** Read an order's invoice (PDF).
     * With what was refunded until now.
     * `GET /api/admin/orders/{orderId}/invoice.pdf` */
    invoice(params: OrderInvoiceParams, options?: CallOptions): Promise<Response>;

    /** Export orders.
     * In the order in which they were made, by which `from` and `to` choose. Lines of JSON, or CSV with a line of names (none after a cursor), sent as they are read: an export may have any length. Each row has a `cursor`; one that breaks off goes on with that of its last whole row. In CSV texts, what a spreadsheet would run has an apostrophe in front.
     * `GET /api/admin/export/orders` */
    export(params?: OrderExportParams, options?: CallOptions): Promise<Response>;

    /** Export the lines of orders.
     * In the order in which the orders were made, by which `from` and `to` choose. Lines of JSON, or CSV with a line of names (none after a cursor), sent as they are read: an export may have any length. Each row has a `cursor`; one that breaks off goes on with that of its last whole row. In CSV texts, what a spreadsheet would run has an apostrophe in front.
     * `GET /api/admin/export/order-lines` */
    exportLines(params?: OrderExportLinesParams, options?: CallOptions): Promise<Response>;
  };

  /** Customers and their saved payment methods at the payment provider; card numbers never pass here. */
  customer: {
    /** Create the caller's customer.
     * A user has one customer, here and at the payment provider: a second call answers the first one, unchanged.
     * `POST /api/customers` */
    create(params?: CustomerCreateParams, options?: CallOptions): Promise<Customer>;

    /** Read a customer.
     * A customer belongs to its user: another's is 403, unless the caller is an admin.
     * `GET /api/customers/{id}` */
    get(params: CustomerGetParams, options?: CallOptions): Promise<Customer>;

    /** Start saving a card.
     * The client secret is for the payment provider's own form, which takes the card. A customer belongs to its user: another's is 403, unless the caller is an admin.
     * `POST /api/customers/{id}/setup-intent` */
    createSetupIntent(params: CustomerCreateSetupIntentParams, options?: CallOptions): Promise<SetupIntent>;

    /** List the saved cards of a customer.
     * A customer belongs to its user: another's is 403, unless the caller is an admin.
     * `GET /api/customers/{id}/payment-methods` */
    listPaymentMethods(params: CustomerListPaymentMethodsParams, options?: CallOptions): Promise<PaymentMethod[]>;

    /** Delete a saved card.
     * A customer belongs to its user: another's is 403, unless the caller is an admin. A card of another customer is 404.
     * `DELETE /api/customers/{id}/payment-methods/{pmId}` */
    removePaymentMethod(params: CustomerRemovePaymentMethodParams, options?: CallOptions): Promise<Deleted>;

    /** Choose the default card.
     * A customer belongs to its user: another's is 403, unless the caller is an admin. A card of another customer is 404.
     * `PUT /api/customers/{id}/default-payment-method` */
    setDefaultPaymentMethod(params: CustomerSetDefaultPaymentMethodParams, options?: CallOptions): Promise<Customer>;

    /** Export customers.
     * In the order in which they were made, by which `from` and `to` choose. Lines of JSON, or CSV with a line of names (none after a cursor), sent as they are read: an export may have any length. Each row has a `cursor`; one that breaks off goes on with that of its last whole row. In CSV texts, what a spreadsheet would run has an apostrophe in front.
     * `GET /api/admin/export/customers` */
    export(params?: CustomerExportParams, options?: CallOptions): Promise<Response>;
  };

  /** Users: profiles kept in step with the identity provider. */
  user: {
    /** Get the caller's own profile.
     * Every holder of a valid token has a profile: until the identity provider's webhook arrives, it is made from the token. A user that the identity provider has deleted is 404, although an old token may still be valid.
     * `GET /api/users/me` */
    me(params?: Record<string, never>, options?: CallOptions): Promise<User>;

    /** Change the caller's own profile.
     * A profile that was read can be sent back: of its other fields, e-mail and role belong to the identity provider and are changed there. Unknown fields are refused.
     * `PATCH /api/users/me` */
    updateMe(params?: UserUpdateMeParams, options?: CallOptions): Promise<User>;

    /** List users.
     * Newest first. Deleted users are not listed.
     * `GET /api/users` */
    list(
      params?: UserListParams,
      options?: CallOptions,
    ): Promise<{
      users: User[];
      pagination: Pagination;
    }>;

    /** Search users, with what is searched for in a body.
     * As the list. A person's name and address belong in a body: the URLs of requests are logged.
     * `POST /api/users/search` */
    search(
      params?: UserSearchParams,
      options?: CallOptions,
    ): Promise<{
      users: User[];
      pagination: Pagination;
    }>;

    /** Get a user.
     * `GET /api/users/{id}` */
    get(params: UserGetParams, options?: CallOptions): Promise<User>;

    /** Change a user's profile.
     * The same fields as the user's own change: e-mail and role belong to the identity provider.
     * `PATCH /api/users/{id}` */
    update(params: UserUpdateParams, options?: CallOptions): Promise<User>;
  };

  /** Who may do what, and who did it: systems' keys and the audit stream. */
  access: {
    /** Make a key for a system.
     * The answer alone has the key, which is kept as a hash. It is sent as the bearer token. Nobody can give a scope that they do not have.
     * `POST /api/admin/keys` */
    createKey(params: AccessCreateKeyParams, options?: CallOptions): Promise<NewKey>;

    /** List keys.
     * Newest first, also those that are revoked.
     * `GET /api/admin/keys` */
    keys(params?: AccessKeysParams, options?: CallOptions): Promise<KeyList>;

    /** Get a key's name, scopes and last use.
     * `GET /api/admin/keys/{keyId}` */
    key(params: AccessKeyParams, options?: CallOptions): Promise<Key>;

    /** Revoke a key.
     * It ends within five seconds on every node. The webhook endpoints that it made (`webhookEndpoints`) are disabled. A second revocation changes nothing.
     * `DELETE /api/admin/keys/{keyId}` */
    revokeKey(params: AccessRevokeKeyParams, options?: CallOptions): Promise<Key>;

    /** List who did what.
     * Newest first: what staff and keys changed, what webhooks changed, and every use of the admin token. An entry is written before its action: without an `outcome` it is a read, or an action whose process died.
     * `GET /api/admin/audit` */
    audit(params?: AccessAuditParams, options?: CallOptions): Promise<AuditList>;

    /** Export everything that is kept of a user.
     * For the user and for staff: profile, addresses, customer with saved cards, cart, saved carts, all orders, and what checkouts hold; of a member of staff also their entries of the audit stream, with the client's address, without what they changed (for others only with `audit:read`). The document is sent as it is read. Once the account is deleted there is none.
     * `GET /api/users/{id}/export` */
    exportUser(params: AccessExportUserParams, options?: CallOptions): Promise<Response>;
  };

  /** Parts of every vendor. */
  catalog: {
    /** Import a vendor's price file.
     * The body is the file, read as it arrives. Columns: `part_number`, `title` (both required), `description`, `category`, `list_price`, `currency`, `status`, `image_url`, `superseded_by`, `weight` (of one piece, with its unit: 1.2 kg or 2.6 lb), `hazmat`, `oversize` (yes or no), `components` (of a kit: `11013-7002*2; HON:16100-Z0Y-813`, in NDJSON also a list of { partNumber, vendor, quantity }); a CSV file's header names them in any order and case, NDJSON has them as keys, and numbers that are not whole for prices alone. `notes` says which columns were ignored, and which were read by a near name (`price`). In a file that separates by semicolons or tabs, the prices show whether a comma is their decimal sign; if none shows it, `1,250` is refused. Fields without a column (in NDJSON without a key) stay as they are; an empty cell (in NDJSON null too) deletes the value: no price, picture, description, successor, weight or components, category `parts`, status `active`, which a new part has by default. An unusable row is refused with its line and reason and never stops the file; a row without news is not written; a repeated number is refused with the line that had it first. A byte order mark says the file's encoding, else the charset of the Content-Type, else it is UTF-8. If the file breaks off, the rows written so far stay: send it again. Search finds the parts when this answers, unless it takes more than 30 seconds to take them in. At most a gigabyte (10^9 bytes): two million rows of 500.
     * `POST /catalog/import/{vendor}` */
    import(params: CatalogImportParams, options?: CallOptions): Promise<ImportReport>;

    /** List the newest imports of price files, at most 20, and how far those are that run.
     * `GET /catalog/imports` */
    imports(
      params?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      imports: ImportSummary[];
    }>;

    /** Get an import of a price file with the rows that it refused.
     * For 30 days after its start.
     * `GET /catalog/imports/{importId}` */
    importReport(params: CatalogImportReportParams, options?: CallOptions): Promise<Import>;

    /** Import cross references between vendors.
     * The body is the file, read as a price file is. Columns: `vendor`, `part_number`, `other_vendor`, `other_part_number` (all required; vendors by code, name or alias), `direction` (`both` unless given; `one_way`: the other can be used in place of the part, and not the part in place of the other), `source` (who says so; `file` unless given). The parts may be missing in the catalog, the vendors may not: PUT /api/admin/vendors/{code} adds one. A row without news is not written. A row of a part and itself is refused; a circle over several rows is kept and never followed. In effect at once.
     * `POST /catalog/interchange` */
    importInterchange(params: CatalogImportInterchangeParams, options?: CallOptions): Promise<InterchangeReport>;

    /** List cross references.
     * `GET /catalog/interchange` */
    interchange(
      params?: CatalogInterchangeParams,
      options?: CallOptions,
    ): Promise<{
      references: CrossReference[];
      pagination: Pagination;
    }>;

    /** Delete the cross references of a source.
     * `DELETE /catalog/interchange` */
    removeInterchange(
      params: CatalogRemoveInterchangeParams,
      options?: CallOptions,
    ): Promise<{
      deleted: number;
    }>;

    /** Delete a cross reference.
     * `DELETE /catalog/interchange/{id}` */
    removeCrossReference(
      params: CatalogRemoveCrossReferenceParams,
      options?: CallOptions,
    ): Promise<{
      deleted: number;
    }>;

    /** Sync one page of a supplier's listing.
     * Writes its items as parts of the supplier's vendor code. Other parts stay as they are. Of a listing by cursor there is only page 1. Search finds the parts when this answers, unless it takes more than 30 seconds to take them in.
     * `POST /catalog/{supplier}/sync` */
    syncPage(params: CatalogSyncPageParams, options?: CallOptions): Promise<PageSyncReport>;

    /** Sync a supplier's whole listing.
     * Answers at once; the sync runs in the background: 3 pages at a time (by cursor one after another), at most 10 requests a second, with retries. While one runs on any node, this returns its syncId. If its process dies, another one resumes it; it ends after SYNC_TIMEOUT_SECONDS. If every page was read and the listing is complete and plausible, parts that it does not list become discontinued; a note says how many, or why none. After one of the tire supplier's, the search index of the tires is rebuilt, unless none has changed or all have.
     * `POST /catalog/{supplier}/batch-sync` */
    batchSync(
      params: CatalogBatchSyncParams,
      options?: CallOptions,
    ): Promise<{
      /** To be looked up at GET /catalog/syncs/{syncId} */
      syncId: string;
    }>;

    /** Ask the dealer for price and stock of a vendor's parts.
     * Only for vendors priced through the dealer inventory system; a vendor priced by files is refused. With 50 parts in a request, a large vendor takes minutes: this answers at once, and the refresh runs in the background under the same rules as a sync. GET /catalog/syncs/{syncId} has the rows read, written, unchanged, notFound and failed.
     * `POST /catalog/refresh/{vendor}` */
    refresh(
      params: CatalogRefreshParams,
      options?: CallOptions,
    ): Promise<{
      /** To be looked up at GET /catalog/syncs/{syncId} */
      syncId: string;
    }>;

    /** Get the progress of a sync or refresh.
     * For 30 days after its start.
     * `GET /catalog/syncs/{syncId}` */
    sync(params: CatalogSyncParams, options?: CallOptions): Promise<SyncReport>;

    /** List syncs and refreshes.
     * Newest first, for 30 days after their start. GET /catalog/syncs/{syncId} lists what was refused or failed.
     * `GET /catalog/syncs` */
    syncs(
      params?: CatalogSyncsParams,
      options?: CallOptions,
    ): Promise<{
      syncs: SyncSummary[];
      pagination: Pagination;
    }>;

    /** List a vendor's parts.
     * In the order of their normalised numbers.
     * `GET /parts/{vendor}` */
    parts(
      params: CatalogPartsParams,
      options?: CallOptions,
    ): Promise<{
      parts: IndexedPart[];
      pagination: Pagination;
    }>;

    /** List what a sitemap of all parts consists of.
     * By vendor, page by page in the order of the parts' ids, each page of at most 2500 parts, one of them active.
     * `GET /api/sitemap` */
    sitemap(params?: Record<string, never>, options?: CallOptions): Promise<Sitemap>;

    /** List the addresses of a vendor's parts.
     * `/parts/{slug}` in the store, of active parts alone, in the order of their ids: of the 2500 parts behind `after`, so that a page may have fewer.
     * `GET /api/sitemap/{vendor}` */
    sitemapPage(
      params: CatalogSitemapPageParams,
      options?: CallOptions,
    ): Promise<{
      parts: PartAddress[];
    }>;

    /** Export parts.
     * Vendor by vendor, by their ids; those that `from` and `to` choose by their last change, in its order. Lines of JSON, or CSV with a line of names (none after a cursor), sent as they are read: an export may have any length. Each row has a `cursor`; one that breaks off goes on with that of its last whole row. In CSV texts, what a spreadsheet would run has an apostrophe in front.
     * `GET /api/admin/export/parts` */
    export(params?: CatalogExportParams, options?: CallOptions): Promise<Response>;

    /** Get a part with everything that belongs to it.
     * All of its fields, what it fits by equipment manuals, the parts that it replaces and those that replace it, what it interchanges with, and what it consists of. If what manuals say cannot be read, `fitment` is empty and `missing` names it.
     * `GET /parts/{vendor}/{partNumber}` */
    part(params: CatalogPartParams, options?: CallOptions): Promise<WholePart>;

    /** List the parts that a part replaces, and those that replace it.
     * `GET /parts/{vendor}/{partNumber}/supersession` */
    supersession(params: CatalogSupersessionParams, options?: CallOptions): Promise<Supersession>;

    /** List the vendors with their names.
     * `GET /api/admin/vendors` */
    vendors(
      params?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      /** By code */
      vendors: VendorName[];
    }>;

    /** Name a vendor, or add one.
     * In place of all names that it had. A code that is new is a vendor priced by files from now on. In effect at once for the process that answers, within 30 seconds for others; search reads the vendor's parts again, which takes seconds, and minutes for a million.
     * `PUT /api/admin/vendors/{code}` */
    setVendor(params: CatalogSetVendorParams, options?: CallOptions): Promise<VendorName>;

    /** Go back to the product's own names of a vendor.
     * A vendor that the product does not know goes by its code while it has parts, and is forgotten without them.
     * `DELETE /api/admin/vendors/{code}` */
    resetVendor(
      params: CatalogResetVendorParams,
      options?: CallOptions,
    ): Promise<{
      /** By code */
      vendors: VendorName[];
    }>;

    /** List what keeps prices current by itself.
     * `GET /catalog/timetable` */
    timetable(
      params?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      jobs: TimedJob[];
    }>;

    /** Stop a job of the timetable until it is resumed.
     * A sync that it has begun goes on.
     * `POST /catalog/timetable/{job}/pause` */
    pauseJob(params: CatalogPauseJobParams, options?: CallOptions): Promise<TimedJob>;

    /** Run a job of the timetable now, and then again as often as its setting says.
     * `POST /catalog/timetable/{job}/resume` */
    resumeJob(params: CatalogResumeJobParams, options?: CallOptions): Promise<TimedJob>;
  };

  /** Finds parts by number and by words. */
  search: {
    /** Search parts.
     * A part number finds its part first however it is typed: case, dashes, dots, spaces, a leading vendor code. Words match by their beginning and forgive typos; numbers never do. `page` times `limit` is at most 10,000.
     * `GET /api/search` */
    search(params?: SearchSearchParams, options?: CallOptions): Promise<SearchResponse>;

    /** Count the facets of a search.
     * Of a query that finds nothing those of what is asked instead, as `/api/search` answers it (`relaxedTo`).
     * `GET /api/filters` */
    filters(
      params?: SearchFiltersParams,
      options?: CallOptions,
    ): Promise<{
      /** Each is counted without its own filter. */
      facets: Facets;
      total: number;
    }>;

    /** Suggest completions.
     * Numbers that begin so come first, in any spelling, then the last word completed to one of a title, a maker, a model or a size, then what goes on behind it, those that lead to most active parts first. From the fourth letter on a slip is forgiven where nothing begins as typed. Each finds something. Nothing typed is an empty list.
     * `GET /api/search/suggest` */
    suggest(
      params?: SearchSuggestParams,
      options?: CallOptions,
    ): Promise<{
      suggestions: SearchSuggestion[];
    }>;

    /** Search as InstantSearch does.
     * For a searchClient of one line: `{ search: (requests) => fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ requests }) }).then((response) => response.json()) }`.
     * `POST /api/search/instantsearch` */
    instantsearch(
      params: SearchInstantsearchParams,
      options?: CallOptions,
    ): Promise<{
      results: Record<string, unknown>[];
    }>;

    /** Search as Algolia's own clients do.
     * What `algoliasearch` sends when its `hosts` are this address. Its application id and key are not looked at.
     * `POST /1/indexes/{indexes}/queries` */
    algoliaQueries(
      params: SearchAlgoliaQueriesParams,
      options?: CallOptions,
    ): Promise<{
      results: Record<string, unknown>[];
    }>;

    /** Search one index as Algolia's own clients do.
     * `searchSingleIndex`: the parameters that a request of `/1/indexes/*\/queries` has, as the body.
     * `POST /1/indexes/{indexName}/query` */
    algoliaQuery(params: SearchAlgoliaQueryParams, options?: CallOptions): Promise<Record<string, unknown>>;

    /** Search the values of a facet as Algolia's own clients do.
     * `searchForFacetValues`: `params` is the search whose parts are counted.
     * `POST /1/indexes/{indexName}/facets/{facetName}/query` */
    algoliaFacet(params: SearchAlgoliaFacetParams, options?: CallOptions): Promise<Record<string, unknown>>;

    /** Get a part by its objectID as Algolia's own clients do.
     * `GET /1/indexes/{indexName}/{objectID}` */
    algoliaObject(params: SearchAlgoliaObjectParams, options?: CallOptions): Promise<Record<string, unknown>>;

    /** Get parts by their objectIDs as Algolia's own clients do.
     * `POST /1/indexes/{indexes}/objects` */
    algoliaObjects(
      params: SearchAlgoliaObjectsParams,
      options?: CallOptions,
    ): Promise<{
      results: (Record<string, unknown> | null)[];
    }>;

    /** Search parts, hits only.
     * Searches as /api/search does, without facets and pages, for programs that read a few hits.
     * `GET /api/ai` */
    ai(
      params: SearchAiParams,
      options?: CallOptions,
    ): Promise<{
      hits: PartPreview[];
      /** Parts that match */
      total: number;
    }>;

    /** Get a part with everything that belongs to it.
     * As GET /parts/{vendor}/{partNumber} of the catalog. If the catalog does not answer within 2 seconds: as the index has it, and `missing` names what is left out; the stock is then not known.
     * `GET /api/parts/{id}` */
    part(params: SearchPartParams, options?: CallOptions): Promise<WholePart>;

    /** Get a part with what it fits and what could stand in for it.
     * `fitment` comes from equipment manuals and is empty as long as none that names the part was read. `alternatives` are the parts that replace it or that it replaced, and active parts of the same maker and category whose title names the same thing. If the catalog does not answer within 2 seconds, the parts that replace it or were replaced are missing; if what manuals say cannot be read, the fitment is. `missing` names them.
     * `GET /api/ai/parts/{id}` */
    aiPart(
      params: SearchAiPartParams,
      options?: CallOptions,
    ): Promise<{
      part: PartDetail;
      fitment: Fitment[];
      alternatives: AlternativePart[];
      /** What is missing: which parts replace this one, or were replaced by it; what it fits. Absent if nothing is missing */
      missing?: ("supersession" | "fitment")[] | undefined;
    }>;

    /** Ask for price and stock of parts.
     * Answers in the order of the request; part numbers may have any spelling, with or without a vendor code in front. The supplier is asked for at most 3 seconds; parts that it does not answer in time have the catalog's values, `live: false` and a `reason`.
     * `POST /api/ai/availability` */
    aiAvailability(
      params: SearchAiAvailabilityParams,
      options?: CallOptions,
    ): Promise<{
      results: PartAvailability[];
      summary: AvailabilitySummary;
    }>;

    /** Build a new index beside the live one and switch to it.
     * The build continues after the answer. One runs at a time: a request for the same indexes, with the same `force`, returns the running build; any other request is 409 BUILD_RUNNING with its `buildId` in the details: repeat it when that build has ended. The aliases move in one step when the new indexes contain everything that was sent to them, and not much less than the live ones unless `force` is set.
     * `POST /api/admin/search/reindex` */
    reindex(
      params?: SearchReindexParams,
      options?: CallOptions,
    ): Promise<{
      buildId: string;
    }>;

    /** Get the state of a build.
     * Builds are remembered for 30 days.
     * `GET /api/admin/search/builds/{buildId}` */
    build(params: SearchBuildParams, options?: CallOptions): Promise<IndexBuild>;

    /** List the newest builds, at most 20.
     * `GET /api/admin/search/builds` */
    builds(
      params?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      builds: IndexBuild[];
    }>;

    /** List the dated indexes, newest first.
     * `GET /api/admin/search/indexes` */
    indexes(
      params?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      indexes: DatedIndex[];
    }>;

    /** Point the aliases of an index at the next older one that is kept.
     * The older index then catches up with the catalog.
     * `POST /api/admin/search/rollback` */
    rollback(
      params: SearchRollbackParams,
      options?: CallOptions,
    ): Promise<{
      index: "parts" | "tires";
      from: string;
      to: string;
    }>;

    /** List the synonyms of each language.
     * `GET /api/admin/search/synonyms` */
    synonyms(
      params?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      sets: SynonymSet[];
    }>;

    /** Set the synonyms of a language.
     * In place of all that it had. In effect at once for the process that answers, within 30 seconds for others; no index is rebuilt.
     * `PUT /api/admin/search/synonyms/{language}` */
    setSynonyms(params: SearchSetSynonymsParams, options?: CallOptions): Promise<SynonymSet>;

    /** Try a language's synonyms with a query before they are set.
     * What the query finds now, and what it would find with these lines in place of all that the language has: the first 10 parts each. Nothing is changed, and the search is not recorded.
     * `POST /api/admin/search/synonyms/{language}/trial` */
    trySynonyms(params: SearchTrySynonymsParams, options?: CallOptions): Promise<SynonymTrial>;

    /** Go back to the product's own synonyms of a language.
     * `DELETE /api/admin/search/synonyms/{language}` */
    resetSynonyms(params: SearchResetSynonymsParams, options?: CallOptions): Promise<SynonymSet>;
  };

  /** Events in order: they are appended and never changed. */
  eventstore: {
    /** Record documents.
     * Each document is an aggregate of the type `document`: its id is `metadata.id` (ids of the system's own aggregates are refused; one that is not a text of 1 to 200 characters is made into one), otherwise it is made from content and metadata. A new document is recorded as DOCUMENT_CREATED, one whose content or metadata changed as DOCUMENT_UPDATED, and an unchanged one not at all, so a request may be repeated. A document has at most 512 KiB. All are checked before the first is recorded: a 400 leaves nothing behind, unless another request changes the same aggregates at that moment. If one cannot be recorded after that, the others are, and the answer is an error: repeat the request. Shoppers find lines of documents with `metadata.public: true` through the parts desk, which learns them after they are recorded; where a sentence model is configured, these are embedded. The event's `embedding_model` names that model, and is `lexical` for a document found by its words alone. Stored again under the same id without `public: true`, a document is forgotten by the desk.
     * `POST /store` */
    store(params: EventstoreStoreParams, options?: CallOptions): Promise<StoredDocuments>;

    /** Append an event.
     * A known event_id returns the first answer again and records nothing, even if other fields differ. An event has at most 512 KiB of data and metadata. The types and ids of the system's own events (ORDER_CREATED, an aggregate of the type `order`, `ord_…`, `vendor_…`; an event_id `order.created:…` or `manual_…`) are refused.
     * `POST /events` */
    append(params: EventstoreAppendParams, options?: CallOptions): Promise<AppendedEvent>;

    /** List events, ascending by position.
     * For the next page, send the position of the last event that you have as `after`: no event ever appears before one that was read. A list has at most about 512 KiB, so it may have fewer than `limit`; an empty list is the end. A position beyond the newest event is refused, naming `after`: this log does not have (or no longer has) those events.
     * `GET /events` */
    list(params?: EventstoreListParams, options?: CallOptions): Promise<EventList>;

    /** Stream new events.
     * The events after `after`, or from now on, as server-sent events, with the filters of the list. The stream waits for a slow reader, which misses nothing. A position beyond the newest event, also as Last-Event-ID, is refused, naming `after`.
     * `GET /events/stream` */
    tail(params?: EventstoreTailParams, options?: CallOptions): AsyncGenerator<StoredEvent, void, undefined>;

    /** Read the state of an aggregate, now or at a time.
     * Folds the events up to that time, in the order of their versions: orders and documents by their own rules, other aggregates by merging the data of each event. Before its first event it is 404. A state of more than 768 KiB is refused, naming aggregate_id: read its events instead.
     * `GET /events/{aggregate_id}/state` */
    state(params: EventstoreStateParams, options?: CallOptions): Promise<AggregateState>;

    /** Count events.
     * `GET /events/stats` */
    stats(params?: EventstoreStatsParams, options?: CallOptions): Promise<EventStats>;

    /** List events and tasks that were given up.
     * A consumer that fails receives the event again with growing pauses; after the last attempt the event is a dead letter of that consumer's group. A durable task (`/admin/tasks`) that failed for the last time is listed behind them. A list of large events has fewer than `limit`.
     * `GET /admin/dead-letters` */
    deadLetters(params?: EventstoreDeadLettersParams, options?: CallOptions): Promise<DeadLetterList>;

    /** Deliver a dead letter again.
     * Delivers it to that group alone, or runs the task; its attempts are counted from zero.
     * `POST /admin/dead-letters/{id}/replay` */
    replayDeadLetter(params: EventstoreReplayDeadLetterParams, options?: CallOptions): Promise<ReplayedDeadLetter>;

    /** Drop a dead letter.
     * `DELETE /admin/dead-letters/{id}` */
    dropDeadLetter(params: EventstoreDropDeadLetterParams, options?: CallOptions): Promise<DroppedDeadLetter>;

    /** List durable tasks.
     * In the order of `due_at`. A task is work that one process does and that a crash does not lose; those that failed for the last time are dead letters too. A list of large tasks has fewer than `limit`.
     * `GET /admin/tasks` */
    tasks(params?: EventstoreTasksParams, options?: CallOptions): Promise<TaskList>;

    /** Get a durable task.
     * `GET /admin/tasks/{id}` */
    task(params: EventstoreTaskParams, options?: CallOptions): Promise<Task>;

    /** Run a durable task now.
     * For one that waits or is dead; its attempts are counted from zero.
     * `POST /admin/tasks/{id}/retry` */
    retryTask(params: EventstoreRetryTaskParams, options?: CallOptions): Promise<RetriedTask>;

    /** Drop a durable task.
     * A run of it is aborted within five seconds. What the task was for stays undone.
     * `DELETE /admin/tasks/{id}` */
    dropTask(params: EventstoreDropTaskParams, options?: CallOptions): Promise<DroppedTask>;
  };

  /** Mails to buyers and to the shop about orders. */
  mail: {
    /** List an order's mails.
     * The oldest first. Their texts and addresses are not kept: a mail is made when it is sent.
     * `GET /api/admin/orders/{orderId}/mails` */
    listForOrder(params: MailListForOrderParams, options?: CallOptions): Promise<OrderMails>;

    /** Send a mail of an order again, to another address too.
     * With `to`, it needs the scope `orders:refund`: anyone who has the link of a mail can cancel the order, which refunds.
     * `POST /api/admin/orders/{orderId}/mails` */
    sendAgain(params: MailSendAgainParams, options?: CallOptions): Promise<Mail>;
  };

  /** Images, and variants of them made on demand. */
  media: {
    /** Store an image.
     * The body is the image: JPEG, PNG, WebP, AVIF or GIF by its content, regardless of the Content-Type, at most 20 MB and 50 megapixels (of all frames together; an AVIF 16). It is turned upright and stored without EXIF and other metadata. The same content gets the same answer.
     * `PUT /api/media` */
    put(params: MediaPutParams, options?: CallOptions): Promise<Image>;

    /** Get an image, or a variant of it.
     * Without parameters, returns the stored image. A variant is made at the first request and kept; its picture is never larger than the original. For each client and each image, one variant is made at a time and few requests wait; one more is SERVICE_UNAVAILABLE. With only `w` or `h`, the other follows. An animation stays one as GIF and WebP; other formats have its first frame.
     * `GET /api/media/{id}` */
    get(params: MediaGetParams, options?: CallOptions): Promise<Response>;

    /** Delete an image and its variants.
     * `DELETE /api/media/{id}` */
    remove(
      params: MediaRemoveParams,
      options?: CallOptions,
    ): Promise<{
      deleted: boolean;
    }>;
  };

  /** Figures counted from the event store: orders, revenue, conversion, parts and searches. */
  analytics: {
    /** Read the figures of a period at a glance.
     * Each figure is what the endpoint of its own says of it; the lists have five entries. Counted from the event store, with a short delay: `as_of` and `behind` say how far.
     * `GET /api/analytics/overview` */
    overview(params?: AnalyticsOverviewParams, options?: CallOptions): Promise<AnalyticsOverview>;

    /** Count orders by state, and by hour or day.
     * The words mean what they mean in /api/admin/orders/stats. Counted from the event store, with a short delay: `as_of` and `behind` say how far.
     * `GET /api/analytics/orders` */
    orders(params?: AnalyticsOrdersParams, options?: CallOptions): Promise<OrderAnalytics>;

    /** Read revenue and average order value, and by hour or day.
     * The words mean what they mean in /api/admin/orders/stats. Counted from the event store, with a short delay: `as_of` and `behind` say how far.
     * `GET /api/analytics/revenue` */
    revenue(params?: AnalyticsRevenueParams, options?: CallOptions): Promise<RevenueAnalytics>;

    /** Read how many carts are checked out and paid, and by hour or day.
     * Carts and checkouts count in the hour of their beginning, regardless of when they are paid. Counted from the event store, with a short delay: `as_of` and `behind` say how far.
     * `GET /api/analytics/conversion` */
    conversion(params?: AnalyticsConversionParams, options?: CallOptions): Promise<ConversionAnalytics>;

    /** List the parts that sold best.
     * Counted from the event store, with a short delay: `as_of` and `behind` say how far.
     * `GET /api/analytics/parts` */
    parts(params?: AnalyticsPartsParams, options?: CallOptions): Promise<PartAnalytics>;

    /** Count searches, and list what was searched for most.
     * Counted from the event store, with a short delay: `as_of` and `behind` say how far.
     * `GET /api/analytics/searches` */
    searches(params?: AnalyticsSearchesParams, options?: CallOptions): Promise<SearchAnalytics>;

    /** List the most frequent searches without a result.
     * Counted from the event store, with a short delay: `as_of` and `behind` say how far.
     * `GET /api/analytics/searches/zero-hits` */
    zeroHits(params?: AnalyticsZeroHitsParams, options?: CallOptions): Promise<ZeroHitAnalytics>;

    /** List the projections and their progress.
     * `GET /api/analytics/projections` */
    projections(params?: Record<string, never>, options?: CallOptions): Promise<ProjectionList>;

    /** Export searches.
     * In the order in which the event store has them; `from` and `to` choose by when they were made. Lines of JSON, or CSV with a line of names (none after a cursor), sent as they are read: an export may have any length. Each row has a `cursor`; one that breaks off goes on with that of its last whole row. In CSV texts, what a spreadsheet would run has an apostrophe in front.
     * `GET /api/admin/export/searches` */
    exportSearches(params?: AnalyticsExportSearchesParams, options?: CallOptions): Promise<Response>;

    /** Rebuild the figures from the first event, beside the live ones.
     * The live figures are replaced in one step when the rebuild has caught up. A second request while one runs joins it.
     * `POST /api/analytics/rebuild` */
    rebuild(params?: AnalyticsRebuildParams, options?: CallOptions): Promise<ProjectionList>;
  };

  /** Health of every node and entry point, now and before: latency, queues, restarts, incidents. */
  healthAnalytics: {
    /** Get the health of the whole system at a glance.
     * `GET /api/health-analytics/overview` */
    overview(params?: Record<string, never>, options?: CallOptions): Promise<HealthOverview>;

    /** List the nodes of the last 24 hours, the newest first.
     * `GET /api/health-analytics/nodes` */
    nodes(
      params?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      /** When this was so */
      asOf: string;
      nodes: NodeHealth[];
    }>;

    /** Get a node and its history.
     * `GET /api/health-analytics/nodes/{nodeId}` */
    node(
      params: HealthAnalyticsNodeParams,
      options?: CallOptions,
    ): Promise<{
      /** When this was so */
      asOf: string;
      node: NodeHealth;
      /** In whole minutes; in whole hours where it is more than a week ago */
      from: string;
      to: string;
      interval: "minute" | "hour" | "day";
      /** Intervals without a report are left out */
      history: NodeHistoryPoint[];
    }>;

    /** List the entry points with their state on each node, and how available they were.
     * `GET /api/health-analytics/entry-points` */
    entryPoints(
      params?: HealthAnalyticsEntryPointsParams,
      options?: CallOptions,
    ): Promise<{
      /** When this was so */
      asOf: string;
      /** In whole minutes; in whole hours where it is more than a week ago */
      from: string;
      to: string;
      entryPoints: EntryPointHealth[];
    }>;

    /** Get how long answers took, by entry point and route.
     * Percentiles of a period are those of all its requests: histograms are added up, never percentiles.
     * `GET /api/health-analytics/latency` */
    latency(
      params?: HealthAnalyticsLatencyParams,
      options?: CallOptions,
    ): Promise<{
      /** In whole minutes; in whole hours where it is more than a week ago */
      from: string;
      to: string;
      entryPoints: EntryPointLatency[];
      /** The most used first */
      routes: RouteLatency[];
    }>;

    /** Get how much waited in the durable channels, and how many dead letters there were.
     * Each interval has the largest figures that a node reported. Intervals without a report are left out.
     * `GET /api/health-analytics/queues` */
    queues(
      params?: HealthAnalyticsQueuesParams,
      options?: CallOptions,
    ): Promise<{
      /** In whole minutes; in whole hours where it is more than a week ago */
      from: string;
      to: string;
      interval: "minute" | "hour" | "day";
      points: QueuePoint[];
    }>;

    /** List incidents of a period, the newest first.
     * Those that began before its end and had not ended before its beginning.
     * `GET /api/health-analytics/incidents` */
    incidents(
      params?: HealthAnalyticsIncidentsParams,
      options?: CallOptions,
    ): Promise<{
      /** In whole minutes; in whole hours where it is more than a week ago */
      from: string;
      to: string;
      incidents: Incident[];
    }>;
  };

  /** Answers from equipment manuals: which parts an equipment has, and where they are drawn. */
  ai: {
    /** List the parts of an equipment, the equipment that a part fits, or all equipment.
     * Give `model` or `part`, not both. Without either: all equipment that manuals are for, in the order of its names, page by page, without parts. With `model`: the parts of that equipment, schema by schema in the order of its manual. With `part`: where that part is used; numbers that it replaces count as it. A model or part that no manual names is an empty list.
     * `GET /api/ai/equipment` */
    equipment(params?: AiEquipmentParams, options?: CallOptions): Promise<EquipmentParts>;

    /** List the diagrams of an equipment, or those that a part is drawn in.
     * Give `model` or `part`, one of the two. At most 200, in the order of their manuals, each with the callouts of its page. Price and availability are the catalog's when it answers. Images and manuals open without a credential.
     * `GET /api/ai/diagrams` */
    diagrams(
      params?: AiDiagramsParams,
      options?: CallOptions,
    ): Promise<{
      diagrams: Diagram[];
    }>;

    /** List the manuals that were read.
     * In the order of their makes and titles. A manual is there some seconds after it was read.
     * `GET /api/manuals` */
    manuals(params?: AiManualsParams, options?: CallOptions): Promise<ManualList>;

    /** Get what is drawn on a page of a manual.
     * The page as a picture, its figures, and where the reference numbers of its drawings are, with the part that each leads to. A manual is there some seconds after it was read.
     * `GET /api/manuals/{sha256}/pages/{page}` */
    manualPage(params: AiManualPageParams, options?: CallOptions): Promise<ManualPage>;

    /** List the makes of the machines that manuals are for.
     * In the order of their names; with `q`, those of which it begins a word, else those a slip or two away.
     * `GET /api/fitment/makes` */
    fitmentMakes(params?: AiFitmentMakesParams, options?: CallOptions): Promise<FitmentMakeList>;

    /** List the models of machines that manuals are for.
     * In the order of their names. With `q`, while it is typed: those that are it, then those that it begins, with their make or without and from any group of letters or digits on; else those that it names amid other words; else those a slip or two away. `make` may be typed in the same ways.
     * `GET /api/fitment/models` */
    fitmentModels(params?: AiFitmentModelsParams, options?: CallOptions): Promise<FitmentModelList>;

    /** List the figures of a model.
     * Diagrams and sections that its manuals list parts in, manual by manual in the order of the manual. Parts outside any are in `/api/ai/equipment`. A name that machines of several makers have is all of theirs.
     * `GET /api/fitment/models/{model}/figures` */
    fitmentFigures(params: AiFitmentFiguresParams, options?: CallOptions): Promise<ModelFigureList>;

    /** Get a figure with its parts and callouts.
     * Price and availability are the catalog's when it answers. An id stays when its manual is read again, as long as the figure has its name.
     * `GET /api/fitment/figures/{figure}` */
    fitmentFigure(params: AiFitmentFigureParams, options?: CallOptions): Promise<FitmentFigure>;

    /** Ask the parts desk.
     * Answers from manuals and the catalog alone, with the page, price and stock of each part. If nothing is relevant, the answer says so and `parts` is empty. A configured chat model words the answer, and the wording is checked against what was found. `include_store_link` adds store links, as does a yes under the same X-Session-Id; under it a question may also refer to the last answer.
     * `POST /api/ai/query` */
    query(params: AiQueryParams, options?: CallOptions): Promise<QueryResponse>;

    /** Ask the parts desk.
     * Answers from manuals and the catalog alone, with the page, price and stock of each part. If nothing is relevant, the answer says so and `parts` is empty. A configured chat model words the answer, and the wording is checked against what was found. `include_store_link` adds store links, as does a yes under the same X-Session-Id; under it a question may also refer to the last answer.
     * `POST /api/ai/query` */
    queryStream(
      params: AiQueryStreamParams,
      options?: CallOptions,
    ): AsyncGenerator<
      | {
          event: "text";
          data: {
            /** The next piece of the answer */
            text: string;
          };
        }
      | {
          event: "restart";
          data: {
            /** Why the text so far is void: it begins again */
            reason: string;
          };
        }
      | { event: "answer"; data: QueryResponse },
      void,
      undefined
    >;

    /** Test the parts desk, and the chat model if one is configured.
     * Calls the model. The answer is reused for ten seconds.
     * `GET /test-chat` */
    testChat(params?: Record<string, never>, options?: CallOptions): Promise<TestChat>;
  };

  /** Equipment manuals: PDFs are read once, page by page, into text, tables, parts and pictures. */
  pipeline: {
    /** Upload a PDF.
     * A form with the PDF as `file` or under another name, at most 100 MB; the fields may come in any order. The response comes when the file is stored; it is read in the background. The same bytes are one piece of work, regardless of the sender: a file that was read before is answered as completed. For a new file, `equipment` (once or several times) and `manufacturer` override what the manual says about itself. For a known file they change nothing: `not_taken` names those that differ (`PATCH /api/manuals/{sha256}` corrects them). An upload slower than 16 KiB in 30 seconds is cut off. While the remains of a failed or removed file are being deleted, the upload is refused with VERSION_CONFLICT; repeat it a moment later.
     * `POST /api/upload-pdf` */
    upload(params: PipelineUploadParams, options?: CallOptions): Promise<Upload>;

    /** Read the PDFs that are in the object store.
     * Reads the objects whose key begins with `prefix` and ends with .pdf, in the order of their keys; they stay in place. If there are more than `limit`, a request with the `next` of the answer as `after` reads those that follow.
     * `POST /api/process-bucket-pdfs` */
    processBucket(params?: PipelineProcessBucketParams, options?: CallOptions): Promise<Batch>;

    /** List jobs, newest first.
     * Lists only the names of the files; get a job by its id for the rest.
     * `GET /api/jobs` */
    jobs(params?: PipelineJobsParams, options?: CallOptions): Promise<JobList>;

    /** Get a job with its files.
     * `GET /api/jobs/{batch_id}` */
    job(params: PipelineJobParams, options?: CallOptions): Promise<Job>;

    /** List the parts that were found in the files of a job.
     * File by file in the order of the job, and in a file in the order of its pages. A file that is not completely read yet has none.
     * `GET /api/jobs/{batch_id}/parts` */
    jobParts(params: PipelineJobPartsParams, options?: CallOptions): Promise<JobPartList>;

    /** Cancel a job.
     * Stops reading its files, unless another job waits for the same file. A job that has ended stays as it is.
     * `DELETE /api/jobs/{batch_id}` */
    cancel(params: PipelineCancelParams, options?: CallOptions): Promise<Job>;

    /** Follow the progress of a job.
     * Sends the progress now and at each change. After a final status the stream ends.
     * `GET /api/jobs/{batch_id}/events` */
    jobEvents(params: PipelineJobEventsParams, options?: CallOptions): AsyncGenerator<JobEvent, void, undefined>;

    /** Get a manual's content and its links.
     * Lists its tables (each as JSON and as CSV), images and figures in the order of its pages, as many as fit into an answer. The text of a page is at `/api/manuals/{sha256}/pages/{page}.txt`, its picture at `/pages/{page}.webp`, and where the callouts of its drawings are at `/pages/{page}`.
     * `GET /api/manuals/{sha256}` */
    overview(params: PipelineOverviewParams, options?: CallOptions): Promise<ManualOverview>;

    /** Correct which equipment a manual is for, or who made it.
     * An omitted field stays; null restores what the manual itself says. The manual is assembled again in the background, and its `correction` is `under_way` until then. Search, equipment and the parts desk follow within seconds, by another `document.created`. Refused with VERSION_CONFLICT while another correction is under way.
     * `PATCH /api/manuals/{sha256}` */
    correct(params: PipelineCorrectParams, options?: CallOptions): Promise<CorrectedManual>;

    /** Remove a manual.
     * Its content is gone at once, and reading it stops. A job that was reading the file shows it as cancelled; a job that had read it, as `removed`. Search, equipment and the parts desk forget it within seconds, by the event `document.deleted`; then its files and the PDF are deleted. Uploading it again reads it again, but is refused with VERSION_CONFLICT while its files are being deleted. Browsers may show its content for five more minutes, and its PDF for as long as they cache it.
     * `DELETE /api/manuals/{sha256}` */
    remove(params: PipelineRemoveParams, options?: CallOptions): Promise<RemovedManual>;

    /** Get the PDF of a manual that was read.
     * `GET /api/manuals/{sha256}/source.pdf` */
    source(params: PipelineSourceParams, options?: CallOptions): Promise<Response>;

    /** Get an image that a page of a manual shows.
     * `GET /api/manuals/{sha256}/images/{image}` */
    image(params: PipelineImageParams, options?: CallOptions): Promise<Response>;

    /** Get a table of a manual as CSV or JSON.
     * CSV as RFC 4180 has it; what a spreadsheet would take for a formula begins with an apostrophe. The JSON has `rows` (of cells, empty ones as ""), `headerRows` (how many of them name the columns), and in points from the top left corner of the page its own place and, as `boxes`, those of its cells.
     * `GET /api/manuals/{sha256}/tables/{table}` */
    table(params: PipelineTableParams, options?: CallOptions): Promise<Response>;

    /** Get a page of a manual as a picture.
     * It is drawn at the first request, and kept. A page that cannot be drawn within 10 seconds is 404 for an hour.
     * `GET /api/manuals/{sha256}/pages/{page}.webp` */
    pageImage(params: PipelinePageImageParams, options?: CallOptions): Promise<Response>;

    /** Get the text of a page of a manual.
     * What a person reads on the page, in lines.
     * `GET /api/manuals/{sha256}/pages/{page}.txt` */
    pageText(params: PipelinePageTextParams, options?: CallOptions): Promise<Response>;

    /** Get what was read on a page of a manual: its size, its tables and its parts with their places.
     * Places are in points from the top left corner, as those of a table's JSON (`/tables/{page}-{index}.json`, from 1 to `tables`); `/pages/{page}.webp` is the page.
     * `GET /api/manuals/{sha256}/pages/{page}/findings` */
    pageFindings(params: PipelinePageFindingsParams, options?: CallOptions): Promise<PageFindings>;
  };

  /** Webhooks out: durable events sent to other systems, signed by Standard Webhooks. */
  webhook: {
    /** List the endpoints.
     * The oldest first, without their secrets.
     * `GET /api/admin/webhooks` */
    listEndpoints(params?: WebhookListEndpointsParams, options?: CallOptions): Promise<WebhookEndpointList>;

    /** Add an endpoint.
     * It gets the events that happen from now on. The answer alone has its secret. The caller needs the scopes to read such events too: `orders:read` for those of orders, else `events:read`, and `users:read` where persons are in them.
     * `POST /api/admin/webhooks` */
    createEndpoint(params: WebhookCreateEndpointParams, options?: CallOptions): Promise<WebhookEndpointWithSecret>;

    /** Read an endpoint.
     * `GET /api/admin/webhooks/{endpointId}` */
    getEndpoint(params: WebhookGetEndpointParams, options?: CallOptions): Promise<WebhookEndpoint>;

    /** Change an endpoint, disable it or enable it again.
     * A disabled endpoint gets nothing: what it misses is listed as failed, and what waits for a retry when that is due. Both can be replayed.
     * `PATCH /api/admin/webhooks/{endpointId}` */
    updateEndpoint(params: WebhookUpdateEndpointParams, options?: CallOptions): Promise<WebhookEndpoint>;

    /** Delete an endpoint.
     * Nothing more is sent to it, retries neither.
     * `DELETE /api/admin/webhooks/{endpointId}` */
    deleteEndpoint(
      params: WebhookDeleteEndpointParams,
      options?: CallOptions,
    ): Promise<{
      endpointId: string;
      deleted: boolean;
    }>;

    /** Give an endpoint a new secret.
     * Requests are signed with the secrets before too until each expires, so it can be repeated if its answer was lost. Of more than five secrets the oldest ends.
     * `POST /api/admin/webhooks/{endpointId}/secret` */
    rotateSecret(params: WebhookRotateSecretParams, options?: CallOptions): Promise<WebhookEndpointWithSecret>;

    /** List the deliveries of an endpoint.
     * Of the last 30 days, the newest first.
     * `GET /api/admin/webhooks/{endpointId}/deliveries` */
    listDeliveries(params: WebhookListDeliveriesParams, options?: CallOptions): Promise<WebhookDeliveryList>;

    /** Read a delivery with the log of its attempts.
     * `GET /api/admin/webhooks/{endpointId}/deliveries/{messageId}` */
    getDelivery(params: WebhookGetDeliveryParams, options?: CallOptions): Promise<WebhookDeliveryWithAttempts>;

    /** Send a test event to an endpoint.
     * `webhook.test`, whose data is the endpointId: signed, delivered, retried and listed like any other. Every endpoint takes it.
     * `POST /api/admin/webhooks/{endpointId}/test` */
    sendTest(params: WebhookSendTestParams, options?: CallOptions): Promise<WebhookDelivery>;

    /** Send a delivery again.
     * With the same webhook-id, delivered or not.
     * `POST /api/admin/webhooks/{endpointId}/deliveries/{messageId}/replay` */
    replayDelivery(params: WebhookReplayDeliveryParams, options?: CallOptions): Promise<WebhookDelivery>;

    /** Send again what failed, or all of a period.
     * By the times at which the events happened. What waits for a retry is sent now too. Sent with the same webhook-ids, in the background.
     * `POST /api/admin/webhooks/{endpointId}/replay` */
    replayDeliveries(params: WebhookReplayDeliveriesParams, options?: CallOptions): Promise<WebhookReplay>;
  };
}

export interface CartSaveParams {
  cartId: string;
  /** Lines with the same productId and unitPrice are added up; with different prices they are refused */
  items: CartItemInput[];
  /** The owner; needs that user's bearer token */
  userId?: string | undefined;
  /** Owner of a guest cart; X-Session-Id, when sent, must be the same. Without the header, a customer who sends a bearer token owns the cart */
  sessionId?: string | undefined;
  /** Ignored; answers have it */
  subtotal?: unknown;
  /** Ignored; answers have it */
  currency?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
  /** Ignored; answers have it */
  expiresAt?: unknown;
  /** Ignored; answers have it */
  total?: unknown;
  /** Ignored; answers have it */
  itemCount?: unknown;
  /** Ignored; answers have it */
  lastSyncedAt?: unknown;
  /** Ignored; answers have it */
  updatedAt?: unknown;
}

export interface CartSaveForCheckoutParams {
  cartId: string;
  /** Lines with the same productId and unitPrice are added up; with different prices they are refused */
  items: CartItemInput[];
  /** The owner; needs that user's bearer token */
  userId?: string | undefined;
  /** Owner of a guest cart; X-Session-Id, when sent, must be the same. Without the header, a customer who sends a bearer token owns the cart */
  sessionId?: string | undefined;
  /** Ignored; answers have it */
  subtotal?: unknown;
  /** Ignored; answers have it */
  currency?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
  /** Ignored; answers have it */
  expiresAt?: unknown;
  /** Ignored; answers have it */
  total?: unknown;
  /** Ignored; answers have it */
  itemCount?: unknown;
  /** Ignored; answers have it */
  lastSyncedAt?: unknown;
  /** Ignored; answers have it */
  updatedAt?: unknown;
}

export interface CartGetParams {
  cartId: string;
}

export interface CartRemoveParams {
  cartId: string;
}

export interface CartSyncParams {
  /** Lines with the same productId and unitPrice are added up; with different prices they are refused */
  items: CartItemInput[];
  /** `merge` adds the quantities to what is there */
  strategy?: "replace" | "merge" | undefined;
  /** Ignored; answers have it */
  cartId?: unknown;
  /** Ignored; answers have it */
  userId?: unknown;
  /** Ignored; answers have it */
  sessionId?: unknown;
  /** Ignored; answers have it */
  subtotal?: unknown;
  /** Ignored; answers have it */
  currency?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
  /** Ignored; answers have it */
  expiresAt?: unknown;
  /** Ignored; answers have it */
  total?: unknown;
  /** Ignored; answers have it */
  itemCount?: unknown;
  /** Ignored; answers have it */
  lastSyncedAt?: unknown;
  /** Ignored; answers have it */
  updatedAt?: unknown;
}

export interface CartAddItemParams {
  item: CartItemInput;
}

export interface CartSetQuantityParams {
  /** URL-encoded */
  productId: string;
  quantity: number;
  /** Ignored; answers have it */
  partNumber?: unknown;
  /** Ignored; answers have it */
  title?: unknown;
  /** Ignored; answers have it */
  unitPrice?: unknown;
  /** Ignored; answers have it */
  manufacturer?: unknown;
  /** Ignored; answers have it */
  currency?: unknown;
  /** Ignored; answers have it */
  imageUrl?: unknown;
  /** Ignored; answers have it */
  availability?: unknown;
  /** Ignored; answers have it */
  id?: unknown;
  /** Ignored; answers have it */
  objectID?: unknown;
  /** Ignored; answers have it */
  slug?: unknown;
  /** Ignored; answers have it */
  sku?: unknown;
  /** Ignored; answers have it */
  skuVariants?: unknown;
  /** Ignored; answers have it */
  description?: unknown;
  /** Ignored; answers have it */
  category?: unknown;
  /** Ignored; answers have it */
  price?: unknown;
  /** Ignored; answers have it */
  status?: unknown;
  /** Ignored; answers have it */
  supersededBy?: unknown;
  /** Ignored; answers have it */
  weightGrams?: unknown;
  /** Ignored; answers have it */
  hazmat?: unknown;
  /** Ignored; answers have it */
  oversize?: unknown;
  /** Ignored; answers have it */
  interchangeOf?: unknown;
  /** Ignored; answers have it */
  replaces?: unknown;
  /** Ignored; answers have it */
  media?: unknown;
  /** Ignored; answers have it */
  sources?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
  /** Ignored; answers have it */
  updatedAt?: unknown;
  /** Ignored; answers have it */
  highlights?: unknown;
  /** Ignored; answers have it */
  _highlightResult?: unknown;
}

export interface CartReplaceItemParams {
  /** URL-encoded */
  productId: string;
}

export interface CartGetForUserParams {
  userId: string;
}

export interface CartReplaceForUserParams {
  userId: string;
  /** Lines with the same productId and unitPrice are added up; with different prices they are refused */
  items: CartItemInput[];
  /** Ignored; answers have it */
  cartId?: unknown;
  /** Ignored; answers have it */
  sessionId?: unknown;
  /** Ignored; answers have it */
  subtotal?: unknown;
  /** Ignored; answers have it */
  currency?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
  /** Ignored; answers have it */
  expiresAt?: unknown;
  /** Ignored; answers have it */
  total?: unknown;
  /** Ignored; answers have it */
  itemCount?: unknown;
  /** Ignored; answers have it */
  lastSyncedAt?: unknown;
  /** Ignored; answers have it */
  updatedAt?: unknown;
}

export interface CartRemoveForUserParams {
  userId: string;
}

export interface PaymentCreateCheckoutSessionParams {
  items: CartItemInput[];
  /** Idempotency key; the cart need not be saved */
  cartId?: string | undefined;
  /** For a shopper who comes back with a changed cart or delivery: an open session of the cartId that another request opened is closed, and a new one opened, which finds the pieces that the cart already holds. It stays closed if the new one is refused: a mended request then opens one */
  replace?: boolean | undefined;
  /** The identity provider's user id; needs that user's bearer token, or an admin's. The order belongs to this user, else to the user of the saved cart, else to the user whose bearer token is sent, else to `guest` */
  customerId?: string | undefined;
  /** Where the shopper goes after paying; {CHECKOUT_SESSION_ID} is filled in */
  successUrl?: string | undefined;
  /** Where the shopper goes after leaving the page */
  cancelUrl?: string | undefined;
  /** Where shipping costs are configured, and in production, one of SHIPPING_RATES or of the methods to the `shippingAddress`, at the server's cost: another cost is refused as a changed price, with the new one. Without it and without a `quote`, the page offers the methods */
  shippingRate?: ShippingRateInput | undefined;
  /** Of POST /api/shipping/quotes, for these items and this destination; in place of `shippingRate` */
  quote?: string | undefined;
  /** `ship` unless given; `pickup`: the buyer fetches the order */
  fulfilment?: "ship" | "pickup" | undefined;
  /** With all that a parcel needs (name, street, city, country, and state and postal code where the country has them) it is the order's address. If something is missing, the page asks for an address and a phone number */
  shippingAddress?: ShippingAddressInput | undefined;
  /** Ignored: everything is in usd */
  currency?: string | undefined;
  /** At most 20 keys. A number, true or false is kept as its text, and null is left out. All of it is kept with the order; the payment provider gets what its limits allow: keys of at most 40 characters, without brackets, and values of at most 500. Keys that begin with `partline_` are not sent there */
  metadata?: Record<string, string | number | boolean | null> | undefined;
  /** Ignored; a cart's answers have it */
  subtotal?: unknown;
  /** Ignored; a cart's answers have it */
  total?: unknown;
  /** Ignored; a cart's answers have it */
  itemCount?: unknown;
  /** Ignored; a cart's answers have it */
  userId?: unknown;
  /** Ignored; a cart's answers have it */
  createdAt?: unknown;
  /** Ignored; a cart's answers have it */
  updatedAt?: unknown;
  /** Ignored; a cart's answers have it */
  expiresAt?: unknown;
  /** Ignored; a cart's answers have it */
  lastSyncedAt?: unknown;
}

export interface PaymentQuoteShippingParams {
  items: QuotedItemInput[];
  /** `country`, `state` and `postalCode` count */
  destination: ShippingDestinationInput;
}

export interface PaymentCreatePaymentIntentParams {
  /** Whole cents. At least the cart's subtotal, with shipping where it has a cost. With a `quote`, the server adds up what is paid */
  amount: number;
  cartId: string;
  /** Ignored: everything is in usd */
  currency?: string | undefined;
  /** The identity provider's user id; needs that user's bearer token, or an admin's. The order belongs to this user, else to the user of the saved cart, else to the user whose bearer token is sent, else to `guest` */
  customerId?: string | undefined;
  /** `ship` unless given; `pickup`: the buyer fetches the order */
  fulfilment?: "ship" | "pickup" | undefined;
  shippingAddress?: ShippingAddressInput | undefined;
  /** How to reach the buyer; of a user's order their profile's unless given */
  contact?: ContactOfBuyerInput | undefined;
  /** Of POST /api/shipping/quotes, for these items and this destination; in place of `shippingRate` */
  quote?: string | undefined;
}

export interface PaymentVerifyParams {
  paymentIntentId: string;
}

export interface OrderBySessionParams {
  sessionId: string;
}

export interface OrderByPaymentParams {
  paymentIntentId: string;
}

export interface OrderGetParams {
  orderId: string;
}

export interface OrderListForUserParams {
  userId: string;
  page?: number | undefined;
  pageSize?: number | undefined;
  status?: "pending" | "processing" | "shipped" | "delivered" | "cancelled" | undefined;
  paymentStatus?: "pending" | "paid" | "failed" | "refunded" | "partially_refunded" | undefined;
  /** Created at or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Created before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
  /** An order number or its beginning, an orderId, or a part number (any case and punctuation; its newest 10,000 orders) */
  q?: string | undefined;
  sort?: "newest" | "oldest" | "total_desc" | "total_asc" | undefined;
}

export interface OrderExportForUserParams {
  userId: string;
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface OrderCancelParams {
  orderId: string;
  reason?: "requested_by_customer" | "out_of_stock" | "duplicate" | "fraudulent" | "other" | undefined;
  /** For admins alone; customers never see it */
  adminNote?: string | undefined;
  /** true: admins only */
  forceCancel?: boolean | undefined;
}

export interface OrderAdminListParams {
  page?: number | undefined;
  pageSize?: number | undefined;
  status?: "pending" | "processing" | "shipped" | "delivered" | "cancelled" | undefined;
  paymentStatus?: "pending" | "paid" | "failed" | "refunded" | "partially_refunded" | undefined;
  /** Created at or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Created before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
  /** An order number or its beginning, an orderId, or a part number (any case and punctuation; its newest 10,000 orders) */
  q?: string | undefined;
  sort?: "newest" | "oldest" | "total_desc" | "total_asc" | undefined;
  /** Only orders of which money is still to be paid back because a refund failed */
  refundDue?: boolean | undefined;
  /** Only orders with disputes in this state */
  disputeState?: "open" | "lost" | "inquiry" | undefined;
  /** Only orders that cannot be shipped for want of a whole address */
  addressMissing?: boolean | undefined;
  /** Only orders that are still to be shipped, to a place that costs more than was paid for */
  shippingUnderpaid?: boolean | undefined;
  /** Only orders with a piece in this state; `unshipped`: open or backordered */
  lineState?: "unshipped" | "open" | "backordered" | "shipped" | "cancelled" | "returned" | undefined;
}

export interface OrderAdminSearchParams {
  status?: "pending" | "processing" | "shipped" | "delivered" | "cancelled" | undefined;
  paymentStatus?: "pending" | "paid" | "failed" | "refunded" | "partially_refunded" | undefined;
  /** Created at or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Created before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
  /** An order number or its beginning, an orderId, or a part number (any case and punctuation; its newest 10,000 orders) */
  q?: string | undefined;
  sort?: "newest" | "oldest" | "total_desc" | "total_asc" | undefined;
  /** Only orders of which money is still to be paid back because a refund failed */
  refundDue?: boolean | undefined;
  /** Only orders with disputes in this state */
  disputeState?: "open" | "lost" | "inquiry" | undefined;
  /** Only orders that cannot be shipped for want of a whole address */
  addressMissing?: boolean | undefined;
  /** Only orders that are still to be shipped, to a place that costs more than was paid for */
  shippingUnderpaid?: boolean | undefined;
  /** Only orders with a piece in this state; `unshipped`: open or backordered */
  lineState?: "unshipped" | "open" | "backordered" | "shipped" | "cancelled" | "returned" | undefined;
  /** Of the order's contact; case and blanks around it do not matter */
  email?: string | undefined;
  pageSize?: number | undefined;
  /** The `nextCursor` of the answer before, with the same sort and filters: pages without a count, at the same cost at any depth, which what is added meanwhile does not move */
  cursor?: string | undefined;
}

export interface OrderAdminStatsParams {
  /** Created at or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Created before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
}

export interface OrderAdminGetParams {
  orderId: string;
}

export interface OrderAdminUpdateParams {
  orderId: string;
  status?: "pending" | "processing" | "shipped" | "delivered" | "cancelled" | undefined;
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  /** For admins alone; customers never see it */
  adminNote?: string | undefined;
  /** Ships though a dispute of the payment is open or was lost, which is 409 PAYMENT_DISPUTED otherwise */
  despiteDispute?: boolean | undefined;
  version?: number | undefined;
}

export interface OrderAdminRefundParams {
  orderId: string;
  /** Currency units, at most two decimals */
  amount?: number | undefined;
  items?: RefundItemInput[] | undefined;
  reason?: "requested_by_customer" | "out_of_stock" | "duplicate" | "fraudulent" | "other" | undefined;
}

export interface OrderSetShippingAddressParams {
  orderId: string;
  shippingAddress: ShippingAddressInput;
}

export interface OrderAdminShipParams {
  orderId: string;
  lines?: RefundItemInput[] | undefined;
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  /** The same as trackingNumber, which goes first */
  tracking?: string | undefined;
  /** Ships though a dispute of the payment is open or was lost, which is 409 PAYMENT_DISPUTED otherwise */
  despiteDispute?: boolean | undefined;
  version?: number | undefined;
}

export interface OrderAdminCorrectShipmentParams {
  orderId: string;
  shipmentId: string;
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  version?: number | undefined;
}

export interface OrderAdminDelayParams {
  orderId: string;
  lines?: RefundItemInput[] | undefined;
  /** From now until they can be shipped */
  days: number;
}

export interface OrderAdminCancelLinesParams {
  orderId: string;
  lines: RefundItemInput[];
  reason?: "requested_by_customer" | "out_of_stock" | "duplicate" | "fraudulent" | "other" | undefined;
}

export interface OrderAdminNoteParams {
  orderId: string;
  text: string;
}

export interface OrderAdminRemoveNoteParams {
  orderId: string;
  noteId: string;
}

export interface OrderAdminReturnParams {
  orderId: string;
  lines: RefundItemInput[];
  reason?: "not_needed" | "wrong_part" | "defective" | "damaged" | "other" | undefined;
  /** Currency units, at most two decimals. Kept of their price */
  restockingFee?: number | undefined;
}

export interface OrderAdminReceiveReturnParams {
  orderId: string;
  returnId: string;
  lines?: RefundItemInput[] | undefined;
}

export interface OrderAdminCancelReturnParams {
  orderId: string;
  returnId: string;
}

export interface OrderGuestExportParams {
  /** Of the order's contact; case and blanks around it do not matter */
  email: string;
  orderNumber: string;
}

export interface OrderGuestEraseParams {
  /** Of the order's contact; case and blanks around it do not matter */
  email: string;
  orderNumber: string;
}

export interface OrderAdminHistoryParams {
  orderId: string;
}

export interface OrderByLinkParams {
  /** Of the link in a mail */
  token: string;
}

export interface OrderCancelByLinkParams {
  /** Of the link in a mail */
  token: string;
  reason?: "requested_by_customer" | "out_of_stock" | "duplicate" | "fraudulent" | "other" | undefined;
}

export interface OrderSetAddressByLinkParams {
  /** Of the link in a mail */
  token: string;
  shippingAddress: ShippingAddressInput;
}

export interface OrderInvoiceByLinkParams {
  /** Of the link in a mail */
  token: string;
}

export interface OrderInvoiceForOwnerParams {
  orderId: string;
}

export interface OrderPackingSlipParams {
  orderId: string;
}

export interface OrderInvoiceParams {
  orderId: string;
}

export interface OrderExportParams {
  format?: "ndjson" | "csv" | undefined;
  /** At or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
  /** Of the last row that is there: rows after it */
  cursor?: string | undefined;
}

export interface OrderExportLinesParams {
  format?: "ndjson" | "csv" | undefined;
  /** At or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
  /** Of the last row that is there: rows after it */
  cursor?: string | undefined;
}

export interface CustomerCreateParams {
  /** The caller's own id: another is 403 */
  userId?: string | undefined;
  /** That of the caller's token unless given */
  email?: string | undefined;
  name?: string | undefined;
  phone?: string | undefined;
  /** Ignored; answers have it */
  customerId?: unknown;
  /** Ignored; answers have it */
  defaultPaymentMethodId?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
}

export interface CustomerGetParams {
  id: string;
}

export interface CustomerCreateSetupIntentParams {
  id: string;
}

export interface CustomerListPaymentMethodsParams {
  id: string;
}

export interface CustomerRemovePaymentMethodParams {
  id: string;
  pmId: string;
}

export interface CustomerSetDefaultPaymentMethodParams {
  id: string;
  paymentMethodId: string;
}

export interface CustomerExportParams {
  format?: "ndjson" | "csv" | undefined;
  /** At or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
  /** Of the last row that is there: rows after it */
  cursor?: string | undefined;
}

export interface UserUpdateMeParams {
  name?: string | null | undefined;
  phone?: string | null | undefined;
  /** Replaces the whole list; each with street, city and country */
  addresses?: AddressInput[] | undefined;
  /** Ignored; answers have it */
  userId?: unknown;
  /** Ignored; answers have it */
  email?: unknown;
  /** Ignored; answers have it */
  role?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
  /** Ignored; answers have it */
  updatedAt?: unknown;
}

export interface UserListParams {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** Part of a name, an e-mail address or an id, in any case */
  q?: string | undefined;
}

export interface UserSearchParams {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** Part of a name, an e-mail address or an id, in any case */
  q?: string | undefined;
}

export interface UserGetParams {
  /** The identity provider's user id */
  id: string;
}

export interface UserUpdateParams {
  /** The identity provider's user id */
  id: string;
  name?: string | null | undefined;
  phone?: string | null | undefined;
  /** Replaces the whole list; each with street, city and country */
  addresses?: AddressInput[] | undefined;
  /** Ignored; answers have it */
  userId?: unknown;
  /** Ignored; answers have it */
  email?: unknown;
  /** Ignored; answers have it */
  role?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
  /** Ignored; answers have it */
  updatedAt?: unknown;
}

export interface AccessCreateKeyParams {
  /** What uses it */
  name: string;
  scopes: (
    | "orders:read"
    | "orders:write"
    | "orders:refund"
    | "users:read"
    | "users:write"
    | "catalog:read"
    | "catalog:write"
    | "search:read"
    | "search:admin"
    | "media:write"
    | "manuals:read"
    | "manuals:write"
    | "analytics:read"
    | "analytics:write"
    | "events:read"
    | "events:write"
    | "system:read"
    | "system:write"
    | "webhooks:read"
    | "webhooks:write"
    | "keys:read"
    | "keys:write"
    | "audit:read"
  )[];
  /** In the future; a key without it lives until it is revoked */
  expiresAt?: string | Date | undefined;
}

export interface AccessKeysParams {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface AccessKeyParams {
  keyId: string;
}

export interface AccessRevokeKeyParams {
  keyId: string;
}

export interface AccessAuditParams {
  page?: number | undefined;
  pageSize?: number | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  /** Kind of the object */
  object?: string | undefined;
  objectId?: string | undefined;
  /** At or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
}

export interface AccessExportUserParams {
  /** The identity provider's user id */
  id: string;
}

export interface CatalogImportParams {
  /** Vendor code, in any case */
  vendor: string;
  /** The report says what the import would write and refuse; nothing is written */
  dryRun?: boolean | undefined;
  body: FileBody;
  contentType: "text/csv" | "application/x-ndjson";
}

export interface CatalogImportReportParams {
  importId: string;
}

export interface CatalogImportInterchangeParams {
  body: FileBody;
  contentType: "text/csv" | "application/x-ndjson";
}

export interface CatalogInterchangeParams {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** Vendor code of either part, in any case */
  vendor?: string | undefined;
  /** Of either part, in any spelling */
  partNumber?: string | undefined;
  source?: string | undefined;
}

export interface CatalogRemoveInterchangeParams {
  source: string;
}

export interface CatalogRemoveCrossReferenceParams {
  id: string;
}

export interface CatalogSyncPageParams {
  /** Vendor code of a supplier with a listing, in any case, unless its SLUG setting (TIRE_SUPPLIER_SLUG) says otherwise. Any other is not found */
  supplier: string;
  page?: number | undefined;
  /** Items a page that the supplier is asked for */
  pageSize?: number | undefined;
}

export interface CatalogBatchSyncParams {
  /** Vendor code of a supplier with a listing, in any case, unless its SLUG setting (TIRE_SUPPLIER_SLUG) says otherwise. Any other is not found */
  supplier: string;
  /** Items a page that the supplier is asked for */
  pageSize?: number | undefined;
}

export interface CatalogRefreshParams {
  /** Vendor code, in any case */
  vendor: string;
}

export interface CatalogSyncParams {
  syncId: string;
}

export interface CatalogSyncsParams {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** Vendor code, in any case */
  vendor?: string | undefined;
  /** `completed`: the listing was complete and every item usable; `partially_failed`: what was received is kept, and `errors`, `refused`, `failed` and `notes` say what is missing; `failed`: nothing was received */
  status?: "running" | "completed" | "partially_failed" | "failed" | undefined;
}

export interface CatalogPartsParams {
  /** Vendor code, in any case */
  vendor: string;
  page?: number | undefined;
  pageSize?: number | undefined;
  /** Beginning of a part number in any spelling; if none begins so, a piece of the title */
  q?: string | undefined;
  /** Parts that changed at or after this moment */
  updatedSince?: string | Date | undefined;
}

export interface CatalogSitemapPageParams {
  /** Vendor code, in any case */
  vendor: string;
  /** As the sitemap names it */
  after?: string | undefined;
}

export interface CatalogExportParams {
  format?: "ndjson" | "csv" | undefined;
  /** At or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
  /** Of the last row that is there: rows after it */
  cursor?: string | undefined;
}

export interface CatalogPartParams {
  /** Vendor code, in any case */
  vendor: string;
  /** In any spelling */
  partNumber: string;
}

export interface CatalogSupersessionParams {
  /** Vendor code, in any case */
  vendor: string;
  /** In any spelling */
  partNumber: string;
}

export interface CatalogSetVendorParams {
  /** Three letters, in any case */
  code: string;
  /** The code unless given */
  name?: string | undefined;
  /** Other names in filters, in front of part numbers and in files. None may be another vendor's */
  aliases?: string[] | undefined;
  /** Refuse a code that a vendor has, in place of naming that vendor */
  isNew?: boolean | undefined;
  /** Ignored; answers have it */
  pricing?: unknown;
  /** Ignored; answers have it */
  isDefault?: unknown;
  /** Ignored; answers have it */
  beyondStock?: unknown;
  /** Ignored; answers have it */
  backorderDays?: unknown;
}

export interface CatalogResetVendorParams {
  /** Three letters, in any case */
  code: string;
}

export interface CatalogPauseJobParams {
  /** `dealer`, or the vendor code of a supplier with a listing */
  job: string;
}

export interface CatalogResumeJobParams {
  /** `dealer`, or the vendor code of a supplier with a listing */
  job: string;
}

export interface SearchSearchParams {
  /** Part numbers in any spelling, and words; 10 kB of any text fit into a URL here */
  q?: string | undefined;
  /** Repeatable, in any case. `tires` and `wheels` narrow by kind, `wheels & tires` is both. */
  category?: string[] | undefined;
  /** Repeatable: name, code or alias, in any case */
  manufacturer?: string[] | undefined;
  /** Parts of this equipment alone, as its manuals list them. The model as people type it; one that no manual names has no parts */
  equipment?: string | undefined;
  /** Currency units. Parts without a price are left out */
  minPrice?: number | undefined;
  /** Currency units. Parts without a price are left out */
  maxPrice?: number | undefined;
  /** Only parts of which the supplier has some */
  inStock?: boolean | undefined;
  /** In any spelling: `18 850 8`, `18x8.5x8`. Repeatable, of tires */
  tireSize?: string[] | undefined;
  /** Inches. Repeatable, of tires */
  tireRim?: string[] | undefined;
  /** Inches; of metric sizes millimetres. Repeatable, of tires */
  tireWidth?: string[] | undefined;
  /** Ply rating, also from the load range. Repeatable, of tires */
  tirePly?: string[] | undefined;
  /** Of one tire. Repeatable, of tires */
  tireLoadIndex?: string[] | undefined;
  /** Speed symbol. Repeatable, of tires */
  tireSpeed?: string[] | undefined;
  /** Name of the tread. Repeatable, of tires */
  tirePattern?: string[] | undefined;
  /** `tubeless` or `tube_type`. Repeatable, of tires */
  tireTube?: string[] | undefined;
  /** An exact part number finds a discontinued part too */
  status?: "active" | "discontinued" | undefined;
  page?: number | undefined;
  /** 20 unless given */
  limit?: number | undefined;
  sort?: "relevance" | "price_asc" | "price_desc" | "newest" | undefined;
}

export interface SearchFiltersParams {
  /** Part numbers in any spelling, and words; 10 kB of any text fit into a URL here */
  q?: string | undefined;
  /** Repeatable, in any case. `tires` and `wheels` narrow by kind, `wheels & tires` is both. */
  category?: string[] | undefined;
  /** Repeatable: name, code or alias, in any case */
  manufacturer?: string[] | undefined;
  /** Parts of this equipment alone, as its manuals list them. The model as people type it; one that no manual names has no parts */
  equipment?: string | undefined;
  /** Currency units. Parts without a price are left out */
  minPrice?: number | undefined;
  /** Currency units. Parts without a price are left out */
  maxPrice?: number | undefined;
  /** Only parts of which the supplier has some */
  inStock?: boolean | undefined;
  /** In any spelling: `18 850 8`, `18x8.5x8`. Repeatable, of tires */
  tireSize?: string[] | undefined;
  /** Inches. Repeatable, of tires */
  tireRim?: string[] | undefined;
  /** Inches; of metric sizes millimetres. Repeatable, of tires */
  tireWidth?: string[] | undefined;
  /** Ply rating, also from the load range. Repeatable, of tires */
  tirePly?: string[] | undefined;
  /** Of one tire. Repeatable, of tires */
  tireLoadIndex?: string[] | undefined;
  /** Speed symbol. Repeatable, of tires */
  tireSpeed?: string[] | undefined;
  /** Name of the tread. Repeatable, of tires */
  tirePattern?: string[] | undefined;
  /** `tubeless` or `tube_type`. Repeatable, of tires */
  tireTube?: string[] | undefined;
  /** An exact part number finds a discontinued part too */
  status?: "active" | "discontinued" | undefined;
}

export interface SearchSuggestParams {
  /** What was typed so far */
  q?: string | undefined;
  limit?: number | undefined;
}

export interface SearchInstantsearchParams {
  /** Each has `indexName` and its parameters: under `params` as an object or as a URL-encoded string, or beside `indexName`. Indexes: `parts`, and its sorted replicas `parts_price_asc`, `parts_price_desc` and `parts_newest`. Parameters: `query`, `page` (from 0), `hitsPerPage` (20, at most 100, of all requests together 500), `facets` and `facetFilters` of `manufacturer`, `category` and `status` (the last is a filter only), `facets` also of `price` (its `facets_stats`), `numericFilters` of `price`, `filters` joined by AND of terms and of alternatives joined by OR, `maxValuesPerFacet` (10, at most 100), `sortFacetValuesBy`, `highlightPreTag`, `highlightPostTag`, `attributesToRetrieve`, `attributesToHighlight`, `analytics` (`false` records no event). With `type: "facet"`, `facet`, `facetQuery` and `maxFacetHits` it searches the values of a facet. Any other parameter is refused by name. */
  requests: Record<string, unknown>[];
  strategy?: "none" | undefined;
}

export interface SearchAlgoliaQueriesParams {
  indexes: string;
  /** The client's name */
  "x-algolia-agent"?: string | undefined;
  "x-algolia-application-id"?: string | undefined;
  "x-algolia-api-key"?: string | undefined;
  /** Each has `indexName` and its parameters: under `params` as an object or as a URL-encoded string, or beside `indexName`. Indexes: `parts`, and its sorted replicas `parts_price_asc`, `parts_price_desc` and `parts_newest`. Parameters: `query`, `page` (from 0), `hitsPerPage` (20, at most 100, of all requests together 500), `facets` and `facetFilters` of `manufacturer`, `category` and `status` (the last is a filter only), `facets` also of `price` (its `facets_stats`), `numericFilters` of `price`, `filters` joined by AND of terms and of alternatives joined by OR, `maxValuesPerFacet` (10, at most 100), `sortFacetValuesBy`, `highlightPreTag`, `highlightPostTag`, `attributesToRetrieve`, `attributesToHighlight`, `analytics` (`false` records no event). With `type: "facet"`, `facet`, `facetQuery` and `maxFacetHits` it searches the values of a facet. Any other parameter is refused by name. */
  requests: Record<string, unknown>[];
  strategy?: "none" | undefined;
}

export interface SearchAlgoliaQueryParams {
  /** `parts`, or one of its sorted replicas */
  indexName: string;
  /** The client's name */
  "x-algolia-agent"?: string | undefined;
  "x-algolia-application-id"?: string | undefined;
  "x-algolia-api-key"?: string | undefined;
  params?: unknown;
  query?: unknown;
  page?: unknown;
  hitsPerPage?: unknown;
  facets?: unknown;
  maxValuesPerFacet?: unknown;
  sortFacetValuesBy?: unknown;
  facetFilters?: unknown;
  numericFilters?: unknown;
  filters?: unknown;
  highlightPreTag?: unknown;
  highlightPostTag?: unknown;
  attributesToRetrieve?: unknown;
  attributesToHighlight?: unknown;
  analytics?: unknown;
  clickAnalytics?: unknown;
  enablePersonalization?: unknown;
  enableABTest?: unknown;
  enableReRanking?: unknown;
  getRankingInfo?: unknown;
  distinct?: unknown;
  attributesToSnippet?: unknown;
  tagFilters?: unknown;
  ruleContexts?: unknown;
  optionalFilters?: unknown;
  optionalWords?: unknown;
}

export interface SearchAlgoliaFacetParams {
  /** `parts`, or one of its sorted replicas */
  indexName: string;
  facetName: string;
  /** The client's name */
  "x-algolia-agent"?: string | undefined;
  "x-algolia-application-id"?: string | undefined;
  "x-algolia-api-key"?: string | undefined;
  params?: unknown;
  facetQuery?: unknown;
  maxFacetHits?: unknown;
}

export interface SearchAlgoliaObjectParams {
  /** `parts`, or one of its sorted replicas */
  indexName: string;
  objectID: string;
  /** Joined by commas */
  attributesToRetrieve?: string | undefined;
  /** The client's name */
  "x-algolia-agent"?: string | undefined;
  "x-algolia-application-id"?: string | undefined;
  "x-algolia-api-key"?: string | undefined;
}

export interface SearchAlgoliaObjectsParams {
  indexes: string;
  /** The client's name */
  "x-algolia-agent"?: string | undefined;
  "x-algolia-application-id"?: string | undefined;
  "x-algolia-api-key"?: string | undefined;
  requests: {
    /** `parts`, or one of its sorted replicas */
    indexName: string;
    objectID: string;
    /** All without it, or with `*` */
    attributesToRetrieve?: string[] | undefined;
  }[];
}

export interface SearchAiParams {
  /** Part numbers in any spelling, and words; 10 kB of any text fit into a URL here */
  q: string;
  limit?: number | undefined;
}

export interface SearchPartParams {
  /** Id or slug, in any case; a slug of an older title finds the part too */
  id: string;
}

export interface SearchAiPartParams {
  /** Id; or a SKU or part number, unless several parts have it */
  id: string;
}

export interface SearchAiAvailabilityParams {
  partNumbers: string[];
}

export interface SearchReindexParams {
  /** Both unless given */
  index?: "parts" | "tires" | undefined;
  force?: boolean | undefined;
}

export interface SearchBuildParams {
  buildId: string;
}

export interface SearchRollbackParams {
  index: "parts" | "tires";
}

export interface SearchSetSynonymsParams {
  /** ISO 639-1 */
  language: string;
  /** `a, b`: each asks for the other too. `a, b => c`: a and b ask for c too. Plurals with s, case and accents are as one */
  lines: string[];
  /** Ignored; answers have it */
  isDefault?: unknown;
}

export interface SearchTrySynonymsParams {
  /** ISO 639-1 */
  language: string;
  /** `a, b`: each asks for the other too. `a, b => c`: a and b ask for c too. Plurals with s, case and accents are as one */
  lines: string[];
  q: string;
}

export interface SearchResetSynonymsParams {
  /** ISO 639-1 */
  language: string;
}

export interface EventstoreStoreParams {
  documents: NewDocumentInput[];
}

export interface EventstoreAppendParams {
  aggregate_id: string;
  /** An aggregate keeps the type of its first event */
  aggregate_type: string;
  event_type: string;
  /** Any JSON object. Numbers are doubles: an integer beyond 2^53 loses digits, so write it as a text */
  data: Record<string, unknown>;
  /** Any JSON object. Numbers are doubles: an integer beyond 2^53 loses digits, so write it as a text */
  metadata?: Record<string, unknown> | undefined;
  /** The version that the aggregate must have, else 409 with its `actual_version`; 0, or -1 as where versions begin at 0: it has no event yet */
  expected_version?: number | undefined;
  /** Made where it is not given */
  event_id?: string | undefined;
}

export interface EventstoreListParams {
  aggregate_id?: string | undefined;
  aggregate_type?: string | undefined;
  event_type?: string | undefined;
  /** Happened at or after this moment, ISO 8601 */
  since?: string | Date | undefined;
  /** Happened before this moment, ISO 8601 */
  until?: string | Date | undefined;
  /** A position; events after it are listed */
  after?: number | undefined;
  limit?: number | undefined;
}

export interface EventstoreTailParams {
  aggregate_id?: string | undefined;
  aggregate_type?: string | undefined;
  event_type?: string | undefined;
  /** Happened at or after this moment, ISO 8601 */
  since?: string | Date | undefined;
  /** Happened before this moment, ISO 8601 */
  until?: string | Date | undefined;
  /** A position; the stream begins after it */
  after?: number | undefined;
}

export interface EventstoreStateParams {
  aggregate_id: string;
  /** ISO 8601; the default is now, also for a future moment */
  at_time?: string | Date | undefined;
}

export interface EventstoreStatsParams {
  aggregate_type?: string | undefined;
  /** Happened at or after this moment, ISO 8601 */
  since?: string | Date | undefined;
}

export interface EventstoreDeadLettersParams {
  limit?: number | undefined;
}

export interface EventstoreReplayDeadLetterParams {
  id: string;
}

export interface EventstoreDropDeadLetterParams {
  id: string;
}

export interface EventstoreTasksParams {
  kind?: string | undefined;
  /** All unless given; `waiting` has those that are held too */
  state?: "waiting" | "dead" | undefined;
  limit?: number | undefined;
}

export interface EventstoreTaskParams {
  id: string;
}

export interface EventstoreRetryTaskParams {
  id: string;
}

export interface EventstoreDropTaskParams {
  id: string;
}

export interface MailListForOrderParams {
  orderId: string;
}

export interface MailSendAgainParams {
  orderId: string;
  mailId: string;
  /** In place of the order's contact */
  to?: string | undefined;
}

export interface MediaPutParams {
  body: FileBody;
  contentType?: string | undefined;
}

export interface MediaGetParams {
  /** SHA-256 of the image as it was sent */
  id: string;
  /** Width in pixels */
  w?: number | undefined;
  /** Height in pixels */
  h?: number | undefined;
  /** With `w` and `h`: `inside` them, `cover` them (cropped at the centre), `contain` (inside, with a border up to them), `fill` (distorted) */
  fit?: "inside" | "cover" | "contain" | "fill" | undefined;
  /** The original's unless given; `auto` is AVIF or WebP where the Accept header names it */
  format?: "jpeg" | "png" | "webp" | "avif" | "auto" | undefined;
}

export interface MediaRemoveParams {
  /** SHA-256 of the image as it was sent */
  id: string;
}

export interface AnalyticsOverviewParams {
  /** From the start of this date (a day of the shop) or from this time on, at most 1096 days before `to`; 30 days unless given */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop); now unless given */
  to?: string | Date | undefined;
}

export interface AnalyticsOrdersParams {
  /** From the start of this date (a day of the shop) or from this time on, at most 1096 days before `to`; 30 days unless given */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop); now unless given */
  to?: string | Date | undefined;
  /** Of `series`; hour for at most 31 days */
  interval?: "hour" | "day" | undefined;
}

export interface AnalyticsRevenueParams {
  /** From the start of this date (a day of the shop) or from this time on, at most 1096 days before `to`; 30 days unless given */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop); now unless given */
  to?: string | Date | undefined;
  /** Of `series`; hour for at most 31 days */
  interval?: "hour" | "day" | undefined;
}

export interface AnalyticsConversionParams {
  /** From the start of this date (a day of the shop) or from this time on, at most 1096 days before `to`; 30 days unless given */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop); now unless given */
  to?: string | Date | undefined;
  /** Of `series`; hour for at most 31 days */
  interval?: "hour" | "day" | undefined;
}

export interface AnalyticsPartsParams {
  /** From the start of this date (a day of the shop) or from this time on, at most 1096 days before `to`; 30 days unless given */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop); now unless given */
  to?: string | Date | undefined;
  sort?: "revenue" | "quantity" | undefined;
  limit?: number | undefined;
}

export interface AnalyticsSearchesParams {
  /** From the start of this date (a day of the shop) or from this time on, at most 1096 days before `to`; 30 days unless given */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop); now unless given */
  to?: string | Date | undefined;
  /** Of `series`; hour for at most 31 days */
  interval?: "hour" | "day" | undefined;
  limit?: number | undefined;
}

export interface AnalyticsZeroHitsParams {
  /** From the start of this date (a day of the shop) or from this time on, at most 1096 days before `to`; 30 days unless given */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop); now unless given */
  to?: string | Date | undefined;
  limit?: number | undefined;
}

export interface AnalyticsExportSearchesParams {
  format?: "ndjson" | "csv" | undefined;
  /** At or after the start of this date (a day of the shop) or this time */
  from?: string | Date | undefined;
  /** Before this time, or until the end of this date (a day of the shop) */
  to?: string | Date | undefined;
  /** Of the last row that is there: rows after it */
  cursor?: string | undefined;
}

export interface AnalyticsRebuildParams {
  /** All of them unless given */
  projection?: "orders" | "conversion" | "searches" | undefined;
}

export interface HealthAnalyticsNodeParams {
  nodeId: string;
  /** ISO 8601, inclusive; 24 hours before `to` unless given */
  from?: string | Date | undefined;
  /** ISO 8601, exclusive, a date until its end; now unless given */
  to?: string | Date | undefined;
  /** Minutes of at most a day, hours of at most 31 days; what suits the period unless given */
  interval?: "minute" | "hour" | "day" | undefined;
}

export interface HealthAnalyticsEntryPointsParams {
  /** ISO 8601, inclusive; 24 hours before `to` unless given */
  from?: string | Date | undefined;
  /** ISO 8601, exclusive, a date until its end; now unless given */
  to?: string | Date | undefined;
}

export interface HealthAnalyticsLatencyParams {
  /** ISO 8601, inclusive; 24 hours before `to` unless given */
  from?: string | Date | undefined;
  /** ISO 8601, exclusive, a date until its end; now unless given */
  to?: string | Date | undefined;
  entry?:
    | "gateway"
    | "cart"
    | "search"
    | "media"
    | "payment"
    | "user"
    | "catalog"
    | "analytics"
    | "health-analytics"
    | "ai"
    | "eventstore"
    | "pipeline"
    | "shop"
    | "console"
    | undefined;
  /** A path's template */
  route?: string | undefined;
}

export interface HealthAnalyticsQueuesParams {
  /** ISO 8601, inclusive; 24 hours before `to` unless given */
  from?: string | Date | undefined;
  /** ISO 8601, exclusive, a date until its end; now unless given */
  to?: string | Date | undefined;
  /** Minutes of at most a day, hours of at most 31 days; what suits the period unless given */
  interval?: "minute" | "hour" | "day" | undefined;
}

export interface HealthAnalyticsIncidentsParams {
  /** ISO 8601, inclusive; 24 hours before `to` unless given */
  from?: string | Date | undefined;
  /** ISO 8601, exclusive, a date until its end; now unless given */
  to?: string | Date | undefined;
  /** true: only open ones; false: only ended ones */
  open?: boolean | undefined;
  limit?: number | undefined;
}

export interface AiEquipmentParams {
  /** A model as people type it: in any case, with or without dashes and blanks, with its manufacturer; a family (`GT`) is all of its models */
  model?: string | undefined;
  /** A part number in any spelling */
  part?: string | undefined;
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface AiDiagramsParams {
  /** A model as people type it: in any case, with or without dashes and blanks, with its manufacturer; a family (`GT`) is all of its models */
  model?: string | undefined;
  /** A part number in any spelling */
  part?: string | undefined;
}

export interface AiManualsParams {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface AiManualPageParams {
  /** SHA-256 of the PDF */
  sha256: string;
  page: number;
}

export interface AiFitmentMakesParams {
  /** As typed so far */
  q?: string | undefined;
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface AiFitmentModelsParams {
  /** As typed so far */
  make?: string | undefined;
  /** As typed so far */
  q?: string | undefined;
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface AiFitmentFiguresParams {
  /** Id of a model, or its name in any spelling, with its make or without */
  model: string;
  /** Of the machine: leaves out figures whose pages name other serial numbers alone */
  serial?: string | undefined;
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface AiFitmentFigureParams {
  figure: string;
  /** Only parts of that model: its id or name, as above */
  model?: string | undefined;
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface AiQueryParams {
  /** A question in plain words, or several */
  query: string;
  include_store_link?: boolean | undefined;
}

export interface AiQueryStreamParams {
  /** A question in plain words, or several */
  query: string;
  include_store_link?: boolean | undefined;
}

export interface PipelineUploadParams {
  /** Models that the manual is for, each a field of its own */
  equipment?: string[] | undefined;
  manufacturer?: string | undefined;
  file: Blob;
}

export interface PipelineProcessBucketParams {
  /** A folder of the store, with its slash or without */
  prefix?: string | undefined;
  /** A key below the folder: only objects behind it are read */
  after?: string | undefined;
  limit?: number | undefined;
}

export interface PipelineJobsParams {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface PipelineJobParams {
  batch_id: string;
}

export interface PipelineJobPartsParams {
  batch_id: string;
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface PipelineCancelParams {
  batch_id: string;
}

export interface PipelineJobEventsParams {
  batch_id: string;
  /** A position; events up to it are not sent again */
  after?: number | undefined;
}

export interface PipelineOverviewParams {
  /** SHA-256 of the PDF */
  sha256: string;
  /** Number of tables, images and figures to skip: the `next` of the answer before */
  after?: number | undefined;
}

export interface PipelineCorrectParams {
  /** SHA-256 of the PDF */
  sha256: string;
  equipment?: string[] | null | undefined;
  manufacturer?: string | null | undefined;
}

export interface PipelineRemoveParams {
  /** SHA-256 of the PDF */
  sha256: string;
}

export interface PipelineSourceParams {
  /** SHA-256 of the PDF */
  sha256: string;
}

export interface PipelineImageParams {
  /** SHA-256 of the PDF */
  sha256: string;
  /** Page, and which of its images, both from 1 */
  image: string;
}

export interface PipelineTableParams {
  /** SHA-256 of the PDF */
  sha256: string;
  /** Page, and which of its tables, both from 1 */
  table: string;
}

export interface PipelinePageImageParams {
  /** SHA-256 of the PDF */
  sha256: string;
  page: number;
}

export interface PipelinePageTextParams {
  /** SHA-256 of the PDF */
  sha256: string;
  page: number;
}

export interface PipelinePageFindingsParams {
  /** SHA-256 of the PDF */
  sha256: string;
  page: number;
}

export interface WebhookListEndpointsParams {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface WebhookCreateEndpointParams {
  /** https, without credentials or fragment, of a public address. Outside of production, http to a loopback address too */
  url: string;
  /** Channels of durable events that are recorded (docs/reference/events.md, /asyncapi.json) */
  eventTypes: string[];
  description?: string | undefined;
  ordered?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Made by the server unless given: `whsec_` and 24 to 64 bytes in base64 */
  secret?: string | undefined;
}

export interface WebhookGetEndpointParams {
  endpointId: string;
}

export interface WebhookUpdateEndpointParams {
  endpointId: string;
  /** https, without credentials or fragment, of a public address. Outside of production, http to a loopback address too */
  url?: string | undefined;
  /** Channels of durable events that are recorded (docs/reference/events.md, /asyncapi.json) */
  eventTypes?: string[] | undefined;
  description?: string | undefined;
  ordered?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Ignored; answers have it */
  disabledReason?: unknown;
  /** Ignored; answers have it */
  createdBy?: unknown;
  /** Ignored; answers have it */
  failingSince?: unknown;
  /** Ignored; answers have it */
  secretExpiresAt?: unknown;
  /** Ignored; answers have it */
  createdAt?: unknown;
  /** Ignored; answers have it */
  updatedAt?: unknown;
}

export interface WebhookDeleteEndpointParams {
  endpointId: string;
}

export interface WebhookRotateSecretParams {
  endpointId: string;
  /** Made by the server unless given: `whsec_` and 24 to 64 bytes in base64 */
  secret?: string | undefined;
  /** How long the one before is valid; 0 ends all before */
  overlapHours?: number | undefined;
}

export interface WebhookListDeliveriesParams {
  endpointId: string;
  state?: "waiting" | "delivered" | "failed" | undefined;
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface WebhookGetDeliveryParams {
  endpointId: string;
  messageId: string;
}

export interface WebhookSendTestParams {
  endpointId: string;
}

export interface WebhookReplayDeliveryParams {
  endpointId: string;
  messageId: string;
}

export interface WebhookReplayDeliveriesParams {
  endpointId: string;
  /** `all` needs `from` */
  state?: "failed" | "all" | undefined;
  from?: string | Date | undefined;
  /** Not included */
  to?: string | Date | undefined;
}

export interface AddressInput {
  name?: string | undefined;
  street: string;
  city: string;
  state?: string | undefined;
  postalCode?: string | undefined;
  country: string;
  phone?: string | undefined;
}

export interface AdminOrder {
  orderId: string;
  orderNumber: string;
  /** `guest` for a checkout without an account, a pseudonym once the account is deleted */
  userId: string;
  items: OrderItem[];
  /** Currency units, at most two decimals */
  subtotal: number;
  /** Currency units, at most two decimals */
  tax: number;
  /** Currency units, at most two decimals. The part of `tax` that the prices include: total is subtotal, shipping and tax less this and any discount. Absent where tax is added to the prices */
  includedTax?: number | undefined;
  /** Currency units, at most two decimals */
  shipping: number;
  /** Currency units, at most two decimals. Discount by a promotion code: total is subtotal, tax and shipping less it. Absent without one */
  discount?: number | undefined;
  /** Currency units, at most two decimals */
  total: number;
  currency: string;
  /** `pickup`: the buyer fetches it; absent in older orders, which ship */
  fulfilment?: "ship" | "pickup" | undefined;
  /** What was chosen and charged; `shipping` is the amount that was paid for it */
  shippingMethod?: ShippingMethod | undefined;
  /** The place and the parcel that `shippingMethod` was priced for. Absent if its cost is that of no place, for example a rate of SHIPPING_RATES */
  shippingPaidFor?: ShippingPaidFor | undefined;
  /** What `tax` consists of, as the payment provider calculated it; absent without tax */
  taxes?: Tax[] | undefined;
  /** As the checkout request gave it */
  metadata?: Record<string, string> | undefined;
  shippingAddress?: ShippingAddress | undefined;
  /** How to reach the person who paid, as the payment provider collected it */
  contact?: Contact | undefined;
  status: "pending" | "processing" | "shipped" | "delivered" | "cancelled";
  paymentStatus: "pending" | "paid" | "failed" | "refunded" | "partially_refunded";
  /** Currency units, at most two decimals */
  refundedAmount: number;
  /** Currency units, at most two decimals. What is still to be refunded of a cancelled order, or of pieces that were cancelled or returned, because a refund failed: it is retried until it succeeds. Absent when nothing is due */
  refundDue?: number | undefined;
  /** Currency units, at most two decimals. What the buyer's bank holds of the payment because of a dispute, or took; it is neither the shop's nor refunded. Absent when there is nothing */
  disputedAmount?: number | undefined;
  /** It ships, and its address lacks what a carrier needs: its owner or the shop gives it. Absent if not */
  addressMissing?: boolean | undefined;
  /** It is still to be shipped, to a place that costs more than the one that shipping was paid for. Absent if not */
  shippingUnderpaid?: ShippingUnderpaid | undefined;
  shipments?: Shipment[] | undefined;
  /** Pieces that come back; those that have come are `returned` in the items */
  returns?: OrderReturn[] | undefined;
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  createdAt: string;
  updatedAt: string;
  /** Increases by one with every change; send it back to update only the version that you read */
  version: number;
  /** For admins alone; customers never see it */
  adminNote?: string | undefined;
  /** The oldest first */
  notes?: OrderNote[] | undefined;
  cartId: string | null;
  /** Checkout session at the payment provider */
  sessionId: string | null;
  paymentIntentId: string | null;
  cancellation?: OrderCancellation | undefined;
  refunds: AdminOrderRefund[];
  /** open: a dispute has money of the order and is not decided; lost: the bank took it; inquiry: the bank asks, and has no money. Of several the first in this order; absent when there is none, or all are over */
  disputeState?: "open" | "lost" | "inquiry" | undefined;
  disputes: OrderDispute[];
}

export interface AdminOrderList {
  orders: AdminOrder[];
  pagination: Pagination;
}

export interface AdminOrderRefund {
  refundId: string;
  /** Currency units, at most two decimals */
  amount: number;
  /** pending: under way or retried in the background; failed: the money was not refunded */
  status: "pending" | "succeeded" | "failed";
  providerRefundId: string | null;
  /** null for a refund made at the provider's own console */
  reason: "requested_by_customer" | "out_of_stock" | "duplicate" | "fraudulent" | "other" | null;
  actor: string;
  /** The return whose pieces it is for */
  returnId?: string | undefined;
  createdAt: string;
}

export interface AgentState {
  parts_found: number;
  needs_confirmation: boolean;
}

export interface AggregateState {
  aggregate_id: string;
  /** Of the last event that is in it */
  version: number;
  /** Any JSON object. Numbers are doubles: an integer beyond 2^53 loses digits, so write it as a text */
  state: Record<string, unknown>;
  /** The moment that was asked for, or now */
  as_of: string;
}

export interface AlternativePart {
  /** `successor` replaces this part, `predecessor` was replaced by it, `similar` is the same maker's part of the same category and kind of thing */
  reason: "successor" | "predecessor" | "similar";
  part: PartPreview;
}

export interface AnalyticsOverview {
  /** Beginning of the hours that are counted (inclusive) */
  from: string;
  /** Their end (exclusive): a period is widened to whole hours */
  to: string;
  /** When the latest event that is counted happened; null before the first */
  as_of: string | null;
  /** Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted */
  behind: number | null;
  orders: OrderFigures;
  revenue: RevenueFigures;
  conversion: ConversionFigures;
  searches: SearchFigures;
  /** Of the orders made in the period that are paid, in usd, and not cancelled */
  topParts: SoldPart[];
  /** Searched for most often */
  topSearches: SearchedText[];
  /** Found nothing most often */
  topZeroHits: SearchedText[];
}

export interface AppendedEvent {
  event_id: string;
  aggregate_id: string;
  version: number;
  position: number;
  timestamp: string;
}

export interface AuditEntry {
  id: string;
  at: string;
  /** `user:…`, `key:…`, `admin` (the admin token), `payment-provider` or `identity-provider` */
  actor: string;
  /** The admin token was used */
  adminToken: boolean;
  /** Of the client; the first 64 bits of an IPv6 one */
  address: string | null;
  /** As in `X-Request-Id`, logs and traces */
  requestId: string;
  action: string;
  object: string | null;
  objectId: string | null;
  /** `done`, or the code of the refusal */
  outcome: string | null;
  /** At most 200; null where the action's object cannot be read */
  changes: FieldChange[] | null;
}

export interface AuditList {
  entries: AuditEntry[];
  pagination: Pagination;
}

export interface AvailabilitySummary {
  requested: number;
  found: number;
  /** Active and in stock, if little of it */
  available: number;
}

export interface Backordered {
  productId: string;
  partNumber: string;
  /** Pieces beyond the stock; they are shipped once they come */
  quantity: number;
  /** Until then, as far as the vendor says */
  days: number | null;
}

export interface Batch {
  batch_id: string;
  /** Files of this job */
  total: number;
  /** The `after` of what follows; not there at the end */
  next?: string | undefined;
}

export interface BuiltIndex {
  index: "parts" | "tires";
  /** Of the dated index; null until it is begun */
  name: string | null;
  /** Documents that were sent to it so far */
  sent: number;
}

export interface Callout {
  /** Reference number, as it is drawn */
  ref: string;
  /** Where the number is drawn on the page as a picture */
  box: CalloutBox;
  /** As the manual writes it */
  partNumber: string | null;
  /** The part in the catalog, as `productId` of a cart */
  partId: string | null;
  /** The catalog's, else the manual's */
  title: string | null;
  /** Quantity that the equipment has; null if the manual does not say */
  quantity: number | null;
  /** Currency units, at most two decimals. The catalog's price now; null without one, and for a part that is discontinued */
  price: number | null;
  /** As the catalog knows it now; null if it has no such part, or does not answer */
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | null;
}

export interface CalloutBox {
  /** Left edge, as a share of the page, 0 to 1 */
  x: number;
  /** Upper edge, as a share of the page, 0 to 1 */
  y: number;
  /** Width, as a share of the page, 0 to 1 */
  width: number;
  /** Height, as a share of the page, 0 to 1 */
  height: number;
}

export interface CancelledOrder {
  orderId: string;
  orderNumber: string;
  /** `guest` for a checkout without an account, a pseudonym once the account is deleted */
  userId: string;
  items: OrderItem[];
  /** Currency units, at most two decimals */
  subtotal: number;
  /** Currency units, at most two decimals */
  tax: number;
  /** Currency units, at most two decimals. The part of `tax` that the prices include: total is subtotal, shipping and tax less this and any discount. Absent where tax is added to the prices */
  includedTax?: number | undefined;
  /** Currency units, at most two decimals */
  shipping: number;
  /** Currency units, at most two decimals. Discount by a promotion code: total is subtotal, tax and shipping less it. Absent without one */
  discount?: number | undefined;
  /** Currency units, at most two decimals */
  total: number;
  currency: string;
  /** `pickup`: the buyer fetches it; absent in older orders, which ship */
  fulfilment?: "ship" | "pickup" | undefined;
  /** What was chosen and charged; `shipping` is the amount that was paid for it */
  shippingMethod?: ShippingMethod | undefined;
  /** The place and the parcel that `shippingMethod` was priced for. Absent if its cost is that of no place, for example a rate of SHIPPING_RATES */
  shippingPaidFor?: ShippingPaidFor | undefined;
  /** What `tax` consists of, as the payment provider calculated it; absent without tax */
  taxes?: Tax[] | undefined;
  /** As the checkout request gave it */
  metadata?: Record<string, string> | undefined;
  shippingAddress?: ShippingAddress | undefined;
  /** How to reach the person who paid, as the payment provider collected it */
  contact?: Contact | undefined;
  status: "pending" | "processing" | "shipped" | "delivered" | "cancelled";
  paymentStatus: "pending" | "paid" | "failed" | "refunded" | "partially_refunded";
  /** Currency units, at most two decimals */
  refundedAmount: number;
  /** Currency units, at most two decimals. What is still to be refunded of a cancelled order, or of pieces that were cancelled or returned, because a refund failed: it is retried until it succeeds. Absent when nothing is due */
  refundDue?: number | undefined;
  /** Currency units, at most two decimals. What the buyer's bank holds of the payment because of a dispute, or took; it is neither the shop's nor refunded. Absent when there is nothing */
  disputedAmount?: number | undefined;
  /** It ships, and its address lacks what a carrier needs: its owner or the shop gives it. Absent if not */
  addressMissing?: boolean | undefined;
  /** It is still to be shipped, to a place that costs more than the one that shipping was paid for. Absent if not */
  shippingUnderpaid?: ShippingUnderpaid | undefined;
  shipments?: Shipment[] | undefined;
  /** Pieces that come back; those that have come are `returned` in the items */
  returns?: OrderReturn[] | undefined;
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  createdAt: string;
  updatedAt: string;
  /** null if there was nothing to refund; after a failure, the refund that is tried next */
  refund: OrderRefund | null;
}

export interface Cart {
  cartId: string;
  /** One line a product, in the order they were added */
  items: CartItem[];
  /** Currency units, at most two decimals */
  subtotal: number;
  currency: "usd";
  createdAt: string;
  /** null for a cart that stays */
  expiresAt: string | null;
}

export interface CartFunnel {
  saved: number;
  checkedOut: number;
  paid: number;
}

export interface CartItem {
  productId: string;
  partNumber: string;
  title: string;
  quantity: number;
  /** Currency units, at most two decimals */
  unitPrice: number;
  manufacturer?: string | undefined;
  /** Ignored: everything is in usd */
  currency?: string | undefined;
  /** An http(s) URL; null, as in a search hit without a picture, is the same as none */
  imageUrl?: string | null | undefined;
  availability?: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | undefined;
}

export interface CartItemInput {
  productId: string;
  partNumber: string;
  title: string;
  quantity: number;
  /** Currency units, at most two decimals */
  unitPrice: number;
  /** A name; or an object that has it as `name`, as in a search hit */
  manufacturer?:
    | string
    | {
        name: string;
      }
    | undefined;
  /** Ignored: everything is in usd */
  currency?: string | undefined;
  /** An http(s) URL; null, as in a search hit without a picture, is the same as none */
  imageUrl?: string | null | undefined;
  availability?: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | undefined;
  /** Ignored; search hits have it */
  id?: unknown;
  /** Ignored; search hits have it */
  objectID?: unknown;
  /** Ignored; search hits have it */
  slug?: unknown;
  /** Ignored; search hits have it */
  sku?: unknown;
  /** Ignored; search hits have it */
  skuVariants?: unknown;
  /** Ignored; search hits have it */
  description?: unknown;
  /** Ignored; search hits have it */
  category?: unknown;
  /** Ignored; search hits have it */
  price?: unknown;
  /** Ignored; search hits have it */
  status?: unknown;
  /** Ignored; search hits have it */
  supersededBy?: unknown;
  /** Ignored; search hits have it */
  weightGrams?: unknown;
  /** Ignored; search hits have it */
  hazmat?: unknown;
  /** Ignored; search hits have it */
  oversize?: unknown;
  /** Ignored; search hits have it */
  interchangeOf?: unknown;
  /** Ignored; search hits have it */
  replaces?: unknown;
  /** Ignored; search hits have it */
  media?: unknown;
  /** Ignored; search hits have it */
  sources?: unknown;
  /** Ignored; search hits have it */
  createdAt?: unknown;
  /** Ignored; search hits have it */
  updatedAt?: unknown;
  /** Ignored; search hits have it */
  highlights?: unknown;
  /** Ignored; search hits have it */
  _highlightResult?: unknown;
}

export interface ChatModelConfig {
  /** Null where answers are composed without a model */
  api_url: string | null;
  model_name: string;
  temperature: number;
  max_tokens: number | null;
  provider: "composer" | "openai-compatible";
}

export interface CheckoutFunnel {
  started: number;
  paid: number;
}

export interface CheckoutSession {
  sessionId: string;
  /** Where the shopper pays, while the session is open */
  url: string;
  /** complete: paid, or its delayed payment is pending. Send the shopper to the order, not to url */
  status: "open" | "complete";
  /** What is not in stock now; left out if all is, or while the stock is unknown */
  backordered?: Backordered[] | undefined;
  /** True if the session is for other products, quantities or prices than were sent now, as it was opened with them. Otherwise left out */
  itemsDiffer?: boolean | undefined;
  /** Of a complete session, once its order is made */
  orderId?: string | undefined;
  paymentIntentId?: string | undefined;
}

export interface Contact {
  email?: string | undefined;
  name?: string | undefined;
  phone?: string | undefined;
}

export interface ContactOfBuyerInput {
  email?: string | undefined;
  name?: string | undefined;
  phone?: string | undefined;
}

export interface ConversionAnalytics {
  /** Beginning of the hours that are counted (inclusive) */
  from: string;
  /** Their end (exclusive): a period is widened to whole hours */
  to: string;
  /** When the latest event that is counted happened; null before the first */
  as_of: string | null;
  /** Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted */
  behind: number | null;
  /** Carts saved in the period, by their cartId, and how many of these were checked out and paid until now */
  carts: CartFunnel;
  /** Checkouts started in the period, with or without a saved cart (several of one cart are one), and how many of these were paid until now */
  checkouts: CheckoutFunnel;
  rates: ConversionRates;
  series: FunnelSlot[];
}

export interface ConversionFigures {
  /** Carts saved in the period, by their cartId, and how many of these were checked out and paid until now */
  carts: CartFunnel;
  /** Checkouts started in the period, with or without a saved cart (several of one cart are one), and how many of these were paid until now */
  checkouts: CheckoutFunnel;
  rates: ConversionRates;
}

export interface ConversionRates {
  /** 0 to 1, to four digits; null of nothing */
  cartToCheckout: number | null;
  /** 0 to 1, to four digits; null of nothing */
  checkoutToPaid: number | null;
  /** 0 to 1, to four digits; null of nothing */
  cartToPaid: number | null;
}

export interface CorrectedManual {
  /** SHA-256 of the PDF */
  sha256: string;
  /** The new value; null restores what the manual itself says */
  equipment: string[] | null;
  /** The same */
  manufacturer: string | null;
}

export interface CountedRevenue {
  /** Currency units, at most two decimals */
  gross: number;
  /** Currency units, at most two decimals */
  refunded: number;
  /** Currency units, at most two decimals */
  disputed: number;
  /** Currency units, at most two decimals */
  net: number;
}

export interface CrossReference {
  id: string;
  part: VendorNumber;
  other: VendorNumber;
  /** `one_way`: `other` can be used in place of `part`; `both`: each in place of the other */
  direction: "both" | "one_way";
  /** Who says so */
  source: string;
  updatedAt: string;
}

export interface Customer {
  customerId: string;
  /** The identity provider's user id */
  userId: string;
  email: string;
  name: string | null;
  phone: string | null;
  defaultPaymentMethodId: string | null;
  createdAt: string;
}

export interface DatedIndex {
  name: string;
  index: "parts" | "tires";
  documents: number;
  createdAt: string;
  /** The aliases point at it */
  live: boolean;
}

export interface DeadLetter {
  id: string;
  /** Of a dead task, its kind */
  channel: string;
  /** The consumer group that failed; all others have handled the event. `tasks` for a dead task */
  group: string;
  /** Of a dead task, its key */
  event_id: string;
  occurred_at: string;
  payload: Record<string, unknown>;
  attempts: number;
  /** Of the last failure */
  reason: string;
  died_at: string;
}

export interface DeadLetterList {
  dead_letters: DeadLetter[];
}

export interface Deleted {
  deleted: boolean;
}

export interface DeskAction {
  type: "add_to_cart" | "open_store" | "look_up_order";
  method?: "GET" | "POST" | undefined;
  path?: string | undefined;
  /** Of `add_to_cart`, as `path` takes it */
  body?:
    | {
        item: ItemToAdd;
      }
    | undefined;
  /** Of `open_store`: a part's page in the store */
  url?: string | undefined;
}

export interface Diagram {
  equipment: string;
  /** Of `/api/fitment/figures/{figure}` */
  figureId: string;
  /** Diagram or section that it is part of; empty where the manual names none */
  schema: string;
  page: number;
  /** WebP: the image that the page shows, else the page drawn */
  imageUrl: string;
  /** The page of the manual */
  pdf_link: string;
  /** The page drawn, WebP; `box` of a callout is in shares of it */
  pageImageUrl: string;
  /** With the part of the row that has its number in the list of the same figure, which may be on another page; the part's fields are null if no row has it. A number with several parts is there once for each. Empty for a manual that a version before 0.3 read. Null where those of the diagrams before are 800 together: the figure has them */
  callouts: Callout[] | null;
}

export interface DroppedDeadLetter {
  id: string;
  dropped: boolean;
}

export interface DroppedTask {
  id: string;
  dropped: boolean;
}

export interface EntryPointHealth {
  entry:
    | "gateway"
    | "cart"
    | "search"
    | "media"
    | "payment"
    | "user"
    | "catalog"
    | "analytics"
    | "health-analytics"
    | "ai"
    | "eventstore"
    | "pipeline"
    | "shop"
    | "console";
  /** `degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent for three intervals of five seconds */
  state: "up" | "degraded" | "down" | "starting" | "stopped" | "gone";
  nodes: {
    node: string;
    /** `degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent for three intervals of five seconds */
    state: "up" | "degraded" | "down" | "starting" | "stopped" | "gone";
    failing: string[];
  }[];
  /** Of the period, on all nodes */
  samples: number;
  /** Share of these samples in which it accepted requests; null without any */
  availability: number | null;
}

export interface EntryPointLatency {
  entry: string;
  requests: number;
  /** Answered 5xx */
  errors: number;
  /** Milliseconds; null without a request */
  meanMs: number | null;
  /** As exact as the histogram's buckets; 10000 stands for that and more. Null without a request */
  p50Ms: number | null;
  /** Milliseconds; null without a request */
  p95Ms: number | null;
  /** Milliseconds; null without a request */
  p99Ms: number | null;
}

export interface EquipmentModel {
  /** Model, as the manual writes it */
  equipment: string;
  manufacturer: string | null;
}

export interface EquipmentParts {
  /** Models that are meant, or that the part fits */
  equipment: EquipmentModel[];
  parts: FittedPart[];
  /** With `part`: false where manuals list it in more than 2000 rows, of which `equipment`, `parts` and `pagination` are some */
  complete?: boolean | undefined;
  /** With `part`: what manuals say of its number */
  supersession?: ManualSupersession | undefined;
  pagination: Pagination;
}

export interface EventList {
  events: StoredEvent[];
}

export interface EventStats {
  total_events: number;
  by_event_type: Record<string, number>;
  by_aggregate_type: Record<string, number>;
  /** UTC days that have an event, ascending */
  by_day: Record<string, number>;
}

export interface Facets {
  manufacturer: FacetValue[];
  category: FacetValue[];
  availability: FacetValue[];
  /** Of tires; left out without any */
  tireSize?: FacetValue[] | undefined;
  /** Of tires; left out without any */
  tireRim?: FacetValue[] | undefined;
  /** Of tires; left out without any */
  tireWidth?: FacetValue[] | undefined;
  /** Of tires; left out without any */
  tirePly?: FacetValue[] | undefined;
  /** Of tires; left out without any */
  tireLoadIndex?: FacetValue[] | undefined;
  /** Of tires; left out without any */
  tireSpeed?: FacetValue[] | undefined;
  /** Of tires; left out without any */
  tirePattern?: FacetValue[] | undefined;
  /** Of tires; left out without any */
  tireTube?: FacetValue[] | undefined;
  price: PriceFacet;
}

export interface FacetValue {
  /** What to send as the filter */
  value: string;
  /** What to show; the category `parts`, of parts that are in none, is `Other parts` */
  label: string;
  count: number;
}

export interface FailedPage {
  page: number;
  reason: string;
}

export interface FailedPart {
  partNumber: string;
  reason: string;
}

export interface FieldChange {
  field: string;
  /** A person's data is `***` */
  before: unknown;
  after: unknown;
}

export interface Figure {
  /** As printed; empty where it has a title alone */
  label: string;
  title: string;
  page: number;
  /** Those of its page that show it, by index */
  images: number[];
  /** Reference numbers that are drawn in it */
  callouts: string[];
}

export interface FigureDrawing {
  page: number;
  /** The page drawn, WebP; `box` of a callout is in shares of it */
  imageUrl: string;
  /** With the part of the row that has its number in the list of the same figure, which may be on another page; the part's fields are null if no row has it. A number with several parts is there once for each. Empty for a manual that a version before 0.3 read */
  callouts: Callout[];
}

export interface FigureOnPage {
  id: string;
  /** Diagram or section that it is part of; empty where the manual names none */
  schema: string;
}

export interface FigurePart {
  /** Its number in the drawing */
  reference: string | null;
  /** As the manual writes it */
  partNumber: string | null;
  /** The part in the catalog, as `productId` of a cart */
  partId: string | null;
  /** The catalog's, else the manual's */
  title: string | null;
  /** Quantity that the equipment has; null if the manual does not say */
  quantity: number | null;
  /** Currency units, at most two decimals. The catalog's price now; null without one, and for a part that is discontinued */
  price: number | null;
  /** As the catalog knows it now; null if it has no such part, or does not answer */
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | null;
  /** As the manual writes it */
  description: string | null;
  /** Models of the figure that have it */
  equipment: string[];
  page: number;
  /** The page of the manual */
  pdf_link: string;
  /** Number that the manual says is supplied instead */
  replacedBy: string | null;
}

export interface Fitment {
  equipment: string;
  /** Diagram or section that it is part of; empty where the manual names none */
  schema: string;
  /** Quantity that the equipment has; null if the manual does not say */
  quantity: number | null;
  /** The page of the manual */
  pdf_link: string;
}

export interface FitmentFigure {
  id: string;
  /** Models that it is for */
  equipment: string[];
  manufacturer: string | null;
  /** Diagram or section that it is part of; empty where the manual names none */
  schema: string;
  page: number;
  /** WebP: the image that the page shows, else the page drawn */
  imageUrl: string;
  /** The page of the manual */
  pdf_link: string;
  /** Serial numbers of the machines that it is for; empty if its pages name none */
  serials: SerialRange[];
  /** The pages on which it is drawn with callouts, of which at most 800 are listed */
  drawings: FigureDrawing[];
  /** In the order of the manual */
  parts: FigurePart[];
  /** Of the parts */
  pagination: Pagination;
}

export interface FitmentMake {
  make: string;
  /** Number of its models */
  models: number;
}

export interface FitmentMakeList {
  makes: FitmentMake[];
  /** True if none begins as typed: these are a slip or two away */
  near: boolean;
  pagination: Pagination;
}

export interface FitmentModel {
  /** Of `/api/fitment/models/{model}/figures` */
  id: string;
  /** Model, as a manual writes it */
  equipment: string;
  manufacturer: string | null;
  /** Manuals that are for it */
  manuals: number;
}

export interface FitmentModelList {
  models: FitmentModel[];
  /** True if none begins as typed: these are a slip or two away */
  near: boolean;
  pagination: Pagination;
}

export interface FittedPart {
  equipment: string;
  manufacturer: string | null;
  /** As the manual writes it */
  partNumber: string;
  /** The part in the catalog; null if the catalog has none, or those of several makers and the manual does not say whose */
  productId: string | null;
  description: string | null;
  /** Diagram or section that it is part of; empty where the manual names none */
  schema: string;
  /** Its number in the diagram */
  reference: string | null;
  /** Quantity that the equipment has; null if the manual does not say */
  quantity: number | null;
  page: number;
  /** The page of the manual */
  pdf_link: string;
  /** Number that the manual says is supplied instead */
  replacedBy: string | null;
}

export interface FoundOrders {
  orders: AdminOrder[];
  /** Absent on the last page */
  nextCursor?: string | undefined;
}

export interface FoundPart {
  /** As printed, but a number of this shop's own (`CT-VNT-801973`) as its maker's, which is what the catalog has */
  part_number: string;
  /** Family of numbers that recognised it */
  pattern: string;
  /** 0 to 1 */
  confidence: number;
  page: number;
  /** Points from the top left corner of the page as seen */
  bbox: PageBox;
  /** Quantity that the equipment has; null if the page does not say, or its models differ */
  quantity: number | null;
  description: string | null;
}

export interface FunnelSlot {
  /** Beginning of the hour or day of the shop; for the first day, of its counted part */
  start: string;
  /** Carts saved in the period, by their cartId, and how many of these were checked out and paid until now */
  carts: CartFunnel;
  /** Checkouts started in the period, with or without a saved cart (several of one cart are one), and how many of these were paid until now */
  checkouts: CheckoutFunnel;
}

export interface HealthOverview {
  /** When this was so */
  asOf: string;
  /** `down`: no node serves an entry point that was not stopped on request */
  state: "up" | "degraded" | "down";
  /** Who was replaced does not count */
  nodes: {
    up: number;
    degraded: number;
    down: number;
    starting: number;
    stopped: number;
    gone: number;
  };
  entryPoints: {
    entry:
      | "gateway"
      | "cart"
      | "search"
      | "media"
      | "payment"
      | "user"
      | "catalog"
      | "analytics"
      | "health-analytics"
      | "ai"
      | "eventstore"
      | "pipeline"
      | "shop"
      | "console";
    /** `degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent for three intervals of five seconds */
    state: "up" | "degraded" | "down" | "starting" | "stopped" | "gone";
  }[];
  /** Those that are open */
  incidents: Incident[];
  /** The largest figures that a node reports; null if none does */
  queue: {
    /** Events that are not relayed yet */
    outbox: number;
    /** Events that wait for a consumer group, and tasks that are due */
    pending: number;
    /** Dead letters */
    dead: number;
    /** Age of the oldest event that waits */
    oldestAgeMs: number;
  } | null;
  /** Of the last 15 minutes */
  traffic: {
    requests: number;
    /** Answered 5xx */
    errors: number;
    /** Milliseconds; null without a request */
    meanMs: number | null;
    /** As exact as the histogram's buckets; 10000 stands for that and more. Null without a request */
    p50Ms: number | null;
    /** Milliseconds; null without a request */
    p95Ms: number | null;
    /** Milliseconds; null without a request */
    p99Ms: number | null;
    /** Failed requests to external providers */
    failures: ProviderFailures[];
  };
  /** In the last 24 hours */
  restarts: number;
}

export interface Highlights {
  partNumber?: string | undefined;
  title?: string | undefined;
}

export interface Image {
  /** SHA-256 of the image as it was sent */
  id: string;
  /** On PUBLIC_URL where that is set, else on this service's own address */
  url: string;
  type: "image/jpeg" | "image/png" | "image/webp" | "image/avif" | "image/gif";
  width: number;
  height: number;
  /** As it is kept */
  bytes: number;
}

export interface Import {
  importId: string;
  /** Code in upper case */
  vendor: string;
  /** It compared, and wrote nothing */
  dryRun: boolean;
  /** `failed`: it broke off, as `reason` says; rows that were written until then stay */
  status: "running" | "completed" | "failed";
  reason: string | null;
  /** Rows in the file: written, unchanged and refused together */
  read: number;
  written: number;
  unchanged: number;
  refusedTotal: number;
  startedAt: string;
  finishedAt: string | null;
  /** The first of them: at most 10,000, and half a megabyte */
  refused: {
    line: number;
    reason: string;
  }[];
  /** Which unknown columns were ignored, which columns were read by a near name, and whether a price file lacks a column of prices. Absent if there is nothing to say */
  notes?: string[] | undefined;
}

export interface ImportReport {
  /** Rows in the file: written, unchanged and refused together */
  read: number;
  written: number;
  unchanged: number;
  /** The first of them: at most 10,000, and half a megabyte */
  refused: {
    line: number;
    reason: string;
  }[];
  refusedTotal: number;
  /** Which unknown columns were ignored, which columns were read by a near name, and whether a price file lacks a column of prices. Absent if there is nothing to say */
  notes?: string[] | undefined;
  /** Part numbers that replace each other in a circle of at most 50 that a part written by this import is in, the first 100 circles; not there where there is none */
  supersessionCycles?: string[][] | undefined;
}

export interface ImportSummary {
  importId: string;
  /** Code in upper case */
  vendor: string;
  /** It compared, and wrote nothing */
  dryRun: boolean;
  /** `failed`: it broke off, as `reason` says; rows that were written until then stay */
  status: "running" | "completed" | "failed";
  reason: string | null;
  /** Rows in the file: written, unchanged and refused together */
  read: number;
  written: number;
  unchanged: number;
  refusedTotal: number;
  startedAt: string;
  finishedAt: string | null;
}

export interface Incident {
  id: string;
  kind: "node" | "dependency" | "queue" | "dead-letters" | "sync";
  /** In words */
  cause: string;
  /** The dependency, what the lost node ran, or the vendor of the sync */
  subject: string;
  nodes: string[];
  entryPoints: string[];
  startedAt: string;
  endedAt: string | null;
  open: boolean;
  /** Number of occurrences: a failure that returns within a minute is the same incident */
  spells: number;
}

export interface IndexBuild {
  buildId: string;
  /** `published`: the aliases point at the new indexes. `refused`: it was not like what it should replace. The live indexes serve on in any case */
  status: "running" | "published" | "refused" | "failed";
  indexes: BuiltIndex[];
  force: boolean;
  /** Why it was refused or failed */
  reason: string | null;
  startedAt: string;
  finishedAt: string | null;
}

export interface IndexedPart {
  /** `{code}-{pnNorm}` in lower case */
  id: string;
  slug: string;
  sku: string;
  /** Other ways in which the number is written */
  skuVariants: string[];
  /** As the supplier writes it */
  partNumber: string;
  /** Upper case, letters and digits only */
  pnNorm: string;
  title: string;
  description?: string | undefined;
  manufacturer: Manufacturer;
  category: string;
  media?: PartMedia | undefined;
  status: "active" | "discontinued";
  /** Where its data came from: `price_file`, `dis`, or a supplier's listing, such as `tire_supplier` */
  sources: string[];
  /** Part number of its successor at the same vendor */
  supersededBy?: string | undefined;
  /** `out_of_stock`: none on hand, or the supplier does not sell it now; `low_stock`: 1 to 5 on hand; `in_stock`: more; `unknown`: never reported */
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown";
  /** Left out while unknown */
  stock?: PartStock | undefined;
  /** Of one piece, grams; left out while unknown */
  weightGrams?: number | undefined;
  /** Dangerous goods */
  hazmat?: boolean | undefined;
  /** Larger than parcel services take */
  oversize?: boolean | undefined;
  /** What the title of a tire or wheel says of it, if it has a size */
  tire?: Tire | undefined;
  createdAt: string;
  updatedAt: string;
  price?: PartPrice | undefined;
}

export interface Interchange {
  partNumber: string;
  manufacturer: Manufacturer;
  /** `to`: it can be used in place of this part; `from`: this part can be used in place of it; `both`: each */
  direction: "both" | "to" | "from";
  /** Number of cross references that lead there, 1 to 3 */
  steps: number;
  /** Who says so */
  sources: string[];
  /** As the catalog has it; left out if it has no such part */
  part?: KnownPart | undefined;
}

export interface InterchangeOf {
  /** Number in whose place the part can be used */
  partNumber: string;
  manufacturer: Manufacturer;
  /** Number of cross references that lead there, 1 to 3 */
  steps: number;
  /** Who says so */
  sources: string[];
}

export interface InterchangeReport {
  /** Rows in the file: written, unchanged and refused together */
  read: number;
  written: number;
  unchanged: number;
  /** The first of them: at most 10,000, and half a megabyte */
  refused: {
    line: number;
    reason: string;
  }[];
  refusedTotal: number;
  /** Which unknown columns were ignored, which columns were read by a near name, and whether a price file lacks a column of prices. Absent if there is nothing to say */
  notes?: string[] | undefined;
}

export interface ItemToAdd {
  productId: string;
  partNumber: string;
  title: string;
  quantity: number;
  /** Currency units, at most two decimals */
  unitPrice: number;
  /** A name; or an object that has it as `name`, as in a search hit */
  manufacturer?: string | undefined;
  /** Ignored: everything is in usd */
  currency?: string | undefined;
  /** An http(s) URL; null, as in a search hit without a picture, is the same as none */
  imageUrl?: string | null | undefined;
  availability?: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | undefined;
  /** Ignored; search hits have it */
  id?: unknown;
  /** Ignored; search hits have it */
  objectID?: unknown;
  /** Ignored; search hits have it */
  slug?: unknown;
  /** Ignored; search hits have it */
  sku?: unknown;
  /** Ignored; search hits have it */
  skuVariants?: unknown;
  /** Ignored; search hits have it */
  description?: unknown;
  /** Ignored; search hits have it */
  category?: unknown;
  /** Ignored; search hits have it */
  price?: unknown;
  /** Ignored; search hits have it */
  status?: unknown;
  /** Ignored; search hits have it */
  supersededBy?: unknown;
  /** Ignored; search hits have it */
  weightGrams?: unknown;
  /** Ignored; search hits have it */
  hazmat?: unknown;
  /** Ignored; search hits have it */
  oversize?: unknown;
  /** Ignored; search hits have it */
  interchangeOf?: unknown;
  /** Ignored; search hits have it */
  replaces?: unknown;
  /** Ignored; search hits have it */
  media?: unknown;
  /** Ignored; search hits have it */
  sources?: unknown;
  /** Ignored; search hits have it */
  createdAt?: unknown;
  /** Ignored; search hits have it */
  updatedAt?: unknown;
  /** Ignored; search hits have it */
  highlights?: unknown;
  /** Ignored; search hits have it */
  _highlightResult?: unknown;
}

export interface Job {
  batch_id: string;
  status: "queued" | "processing" | "completed" | "partially_failed" | "failed" | "cancelled";
  progress: JobProgress;
  created_at: string;
  updated_at: string;
  /** It cannot be read after that; the manuals stay */
  expires_at: string;
  files: JobFile[];
}

export interface JobEvent {
  position: number;
  batch_id: string;
  status: "queued" | "processing" | "completed" | "partially_failed" | "failed" | "cancelled";
  progress: JobProgress;
}

export interface JobFile {
  name: string;
  /** null until a file of a bucket is read */
  sha256: string | null;
  status: "queued" | "processing" | "completed" | "partially_failed" | "failed" | "cancelled";
  /** null until it is opened */
  pages: number | null;
  parts: number;
  tables: number;
  images: number;
  /** Images that are not kept, since they have more than 36 megapixels or cannot be decoded */
  images_left_out?: number | undefined;
  /** Pages that are pictures without text; only OCR can read them */
  pages_scanned?: number | undefined;
  /** true if the manual was removed since: the status is the last one that it had */
  removed?: boolean | undefined;
  /** Why it failed, or which pages could not be read and why */
  error?: string | undefined;
  /** What to check: a list of parts of which no part was read */
  note?: string | undefined;
}

export interface JobList {
  jobs: JobSummary[];
  pagination: Pagination;
}

export interface JobPart {
  /** As printed, but a number of this shop's own (`CT-VNT-801973`) as its maker's, which is what the catalog has */
  part_number: string;
  /** Family of numbers that recognised it */
  pattern: string;
  /** 0 to 1 */
  confidence: number;
  page: number;
  /** Points from the top left corner of the page as seen */
  bbox: PageBox;
  /** Quantity that the equipment has; null if the page does not say, or its models differ */
  quantity: number | null;
  description: string | null;
  /** Name of the file */
  file: string;
}

export interface JobPartList {
  parts: JobPart[];
  pagination: Pagination;
}

export interface JobProgress {
  /** Files that are done */
  files: {
    done: number;
    total: number;
  };
  /** Of the files whose number of pages is known */
  pages: {
    done: number;
    total: number;
  };
  /** Share of the pages that are done, 0 to 100; 100 when nothing is left to do. A cancelled job keeps the value that it reached */
  percent: number;
  /** Estimated from the pages read so far; null before the first */
  eta_seconds: number | null;
}

export interface JobSummary {
  batch_id: string;
  status: "queued" | "processing" | "completed" | "partially_failed" | "failed" | "cancelled";
  progress: JobProgress;
  created_at: string;
  updated_at: string;
  /** It cannot be read after that; the manuals stay */
  expires_at: string;
  /** Of its first 10 files; `progress.files.total` is how many there are */
  file_names: string[];
}

export interface Key {
  keyId: string;
  name: string;
  scopes: (
    | "orders:read"
    | "orders:write"
    | "orders:refund"
    | "users:read"
    | "users:write"
    | "catalog:read"
    | "catalog:write"
    | "search:read"
    | "search:admin"
    | "media:write"
    | "manuals:read"
    | "manuals:write"
    | "analytics:read"
    | "analytics:write"
    | "events:read"
    | "events:write"
    | "system:read"
    | "system:write"
    | "webhooks:read"
    | "webhooks:write"
    | "keys:read"
    | "keys:write"
    | "audit:read"
  )[];
  /** As in the audit stream */
  createdBy: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** To the minute */
  lastUsedAt: string | null;
  /** What it made, and what ends with it. Not in lists, nor while webhooks are away */
  webhookEndpoints?: string[] | undefined;
}

export interface KeyList {
  keys: Key[];
  pagination: Pagination;
}

export interface KitComponent {
  partNumber: string;
  /** Code */
  vendor: string;
  quantity: number;
  /** As the catalog has it; left out if it has no such part */
  part?: KnownPart | undefined;
}

export interface KnownPart {
  id: string;
  title: string;
  status: "active" | "discontinued";
  /** Currency units, at most two decimals */
  price: number | null;
  /** `out_of_stock`: none on hand, or the supplier does not sell it now; `low_stock`: 1 to 5 on hand; `in_stock`: more; `unknown`: never reported */
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown";
}

export interface LineQuantities {
  open: number;
  backordered: number;
  shipped: number;
  cancelled: number;
  returned: number;
}

export interface ListedManual {
  /** SHA-256 of the PDF */
  sha256: string;
  title: string;
  manufacturer: string | null;
  /** Models that it is for */
  equipment: string[];
  pages: number;
  pdf_link: string;
}

export interface Mail {
  /** The event that caused it, and its kind; the Message-ID derives from it */
  mailId: string;
  kind:
    | "confirmation"
    | "received"
    | "payment-failed"
    | "address-missing"
    | "shipped"
    | "delayed"
    | "lines-cancelled"
    | "cancelled"
    | "refunded"
    | "returned"
    | "refund-failed"
    | "dispute"
    | "address-refused"
    | "shipping-underpaid"
    | "webhook-disabled";
  /** waiting: under way or retried; refused: the address is refused for good; skipped: there is none, or nothing to say any more */
  state: "waiting" | "sent" | "refused" | "skipped";
  createdAt: string;
  sentAt?: string | undefined;
  /** Why it is refused or skipped */
  reason?: string | undefined;
}

export interface ManualChapter {
  title: string;
  /** From 1 */
  page: number;
}

export interface ManualCounts {
  parts: number;
  tables: number;
  images: number;
  figures: number;
}

export interface ManualImage {
  /** From 1 */
  page: number;
  /** Which of its page, from 1 */
  index: number;
  url: string;
}

export interface ManualList {
  manuals: ListedManual[];
  pagination: Pagination;
}

export interface ManualOverview {
  sha256: string;
  filename: string;
  title: string;
  equipment: string[];
  manufacturer?: string | undefined;
  pages: number;
  /** The first 100 entries of the PDF's own outline; empty if it has none */
  chapters: ManualChapter[];
  /** Of the whole manual */
  counts: ManualCounts;
  /** Pages that are pictures without text; only OCR can read them */
  pages_scanned?: number | undefined;
  /** Correction of its equipment or manufacturer, absent once it is done. If it failed, everything is as before; until then it is under way, and some of its parts and pages may already be those after it */
  correction?: "under_way" | "failed" | undefined;
  /** The PDF */
  source: string;
  tables: ManualTable[];
  images: ManualImage[];
  figures: Figure[];
  /** The `after` of what follows; not there at the end */
  next?: number | undefined;
}

export interface ManualPage {
  /** SHA-256 of the PDF */
  sha256: string;
  page: number;
  /** Of the manual */
  pages: number;
  /** Models that the manual is for */
  equipment: string[];
  manufacturer: string | null;
  figures: FigureOnPage[];
  /** The page drawn, WebP; `box` of a callout is in shares of it */
  imageUrl: string;
  /** The page of the manual */
  pdf_link: string;
  /** With the part of the row that has its number in the list of the same figure, which may be on another page; the part's fields are null if no row has it. A number with several parts is there once for each. Empty for a manual that a version before 0.3 read */
  callouts: Callout[];
}

export interface ManualSupersession {
  /** Its successor, that one's successor, and so on */
  replacedBy: SupersessionNote[];
  /** Numbers that it is supplied for; at most 100 */
  replaces: SupersessionNote[];
}

export interface ManualTable {
  /** From 1 */
  page: number;
  /** Which of its page, from 1 */
  index: number;
  json: string;
  csv: string;
}

export interface Manufacturer {
  name: string;
  /** Vendor code */
  code: string;
}

export interface ModelFigure {
  id: string;
  equipment: string;
  manufacturer: string | null;
  /** Diagram or section that it is part of; empty where the manual names none */
  schema: string;
  page: number;
  /** WebP: the image that the page shows, else the page drawn */
  imageUrl: string;
  /** The page of the manual */
  pdf_link: string;
  /** Serial numbers of the machines that it is for; empty if its pages name none */
  serials: SerialRange[];
}

export interface ModelFigureList {
  models: EquipmentModel[];
  figures: ModelFigure[];
  pagination: Pagination;
}

export interface NewDocumentInput {
  content: string;
  /** Any JSON object. Numbers are doubles: an integer beyond 2^53 loses digits, so write it as a text */
  metadata?: Record<string, unknown> | undefined;
}

export interface NewKey {
  keyId: string;
  key: string;
}

export interface NodeHealth {
  node: string;
  host: string;
  version: string;
  /** `degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent for three intervals of five seconds */
  state: "up" | "degraded" | "down" | "starting" | "stopped" | "gone";
  startedAt: string;
  /** Time of its last report */
  heardAt: string;
  services: string[];
  entryPoints: {
    entry:
      | "gateway"
      | "cart"
      | "search"
      | "media"
      | "payment"
      | "user"
      | "catalog"
      | "analytics"
      | "health-analytics"
      | "ai"
      | "eventstore"
      | "pipeline"
      | "shop"
      | "console";
    /** `degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent for three intervals of five seconds */
    state: "up" | "degraded" | "down" | "starting" | "stopped" | "gone";
    /** Dependencies that are not ok */
    failing: string[];
  }[];
  /** Dependencies that the node needs and does not have */
  failing: string[];
  eventLoop: {
    p99Ms: number;
    maxMs: number;
    utilization: number;
  };
  memory: {
    rss: number;
    heapUsed: number;
  };
  queue: {
    /** Events that are not relayed yet */
    outbox: number;
    /** Events that wait for a consumer group, and tasks that are due */
    pending: number;
    /** Dead letters */
    dead: number;
    /** Age of the oldest event that waits */
    oldestAgeMs: number;
  } | null;
  /** The ended node with the same services that it replaced. Each such start is a restart */
  replaces: {
    node: string;
    startedAt: string;
    /** `degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent for three intervals of five seconds */
    state: "up" | "degraded" | "down" | "starting" | "stopped" | "gone";
  } | null;
  /** Who took its place */
  replacedBy: {
    node: string;
    startedAt: string;
    /** `degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent for three intervals of five seconds */
    state: "up" | "degraded" | "down" | "starting" | "stopped" | "gone";
  } | null;
  /** Restarts before it, one after another, in the last 24 hours */
  restarts: number;
}

export interface NodeHistoryPoint {
  /** Beginning of the interval */
  at: string;
  samples: number;
  entryPoints: {
    entry: string;
    up: number;
    degraded: number;
    /** Samples in this state */
    down: number;
  }[];
  eventLoop: {
    p99Ms: number;
    maxMs: number;
  };
  memory: {
    rss: number;
  };
  traffic: {
    requests: number;
    /** Answered 5xx */
    errors: number;
    /** Milliseconds; null without a request */
    meanMs: number | null;
    /** As exact as the histogram's buckets; 10000 stands for that and more. Null without a request */
    p50Ms: number | null;
    /** Milliseconds; null without a request */
    p95Ms: number | null;
    /** Milliseconds; null without a request */
    p99Ms: number | null;
  };
  failures: ProviderFailures[];
}

export interface Order {
  orderId: string;
  orderNumber: string;
  /** `guest` for a checkout without an account, a pseudonym once the account is deleted */
  userId: string;
  items: OrderItem[];
  /** Currency units, at most two decimals */
  subtotal: number;
  /** Currency units, at most two decimals */
  tax: number;
  /** Currency units, at most two decimals. The part of `tax` that the prices include: total is subtotal, shipping and tax less this and any discount. Absent where tax is added to the prices */
  includedTax?: number | undefined;
  /** Currency units, at most two decimals */
  shipping: number;
  /** Currency units, at most two decimals. Discount by a promotion code: total is subtotal, tax and shipping less it. Absent without one */
  discount?: number | undefined;
  /** Currency units, at most two decimals */
  total: number;
  currency: string;
  /** `pickup`: the buyer fetches it; absent in older orders, which ship */
  fulfilment?: "ship" | "pickup" | undefined;
  /** What was chosen and charged; `shipping` is the amount that was paid for it */
  shippingMethod?: ShippingMethod | undefined;
  /** The place and the parcel that `shippingMethod` was priced for. Absent if its cost is that of no place, for example a rate of SHIPPING_RATES */
  shippingPaidFor?: ShippingPaidFor | undefined;
  /** What `tax` consists of, as the payment provider calculated it; absent without tax */
  taxes?: Tax[] | undefined;
  /** As the checkout request gave it */
  metadata?: Record<string, string> | undefined;
  shippingAddress?: ShippingAddress | undefined;
  /** How to reach the person who paid, as the payment provider collected it */
  contact?: Contact | undefined;
  status: "pending" | "processing" | "shipped" | "delivered" | "cancelled";
  paymentStatus: "pending" | "paid" | "failed" | "refunded" | "partially_refunded";
  /** Currency units, at most two decimals */
  refundedAmount: number;
  /** Currency units, at most two decimals. What is still to be refunded of a cancelled order, or of pieces that were cancelled or returned, because a refund failed: it is retried until it succeeds. Absent when nothing is due */
  refundDue?: number | undefined;
  /** Currency units, at most two decimals. What the buyer's bank holds of the payment because of a dispute, or took; it is neither the shop's nor refunded. Absent when there is nothing */
  disputedAmount?: number | undefined;
  /** It ships, and its address lacks what a carrier needs: its owner or the shop gives it. Absent if not */
  addressMissing?: boolean | undefined;
  /** It is still to be shipped, to a place that costs more than the one that shipping was paid for. Absent if not */
  shippingUnderpaid?: ShippingUnderpaid | undefined;
  shipments?: Shipment[] | undefined;
  /** Pieces that come back; those that have come are `returned` in the items */
  returns?: OrderReturn[] | undefined;
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  createdAt: string;
  updatedAt: string;
}

export interface OrderAnalytics {
  /** Beginning of the hours that are counted (inclusive) */
  from: string;
  /** Their end (exclusive): a period is widened to whole hours */
  to: string;
  /** When the latest event that is counted happened; null before the first */
  as_of: string | null;
  /** Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted */
  behind: number | null;
  /** Orders made in the period, in any state */
  totalOrders: number;
  /** Count of every status, as it is now */
  byStatus: Record<string, number>;
  /** Count of every payment status, as it is now */
  byPaymentStatus: Record<string, number>;
  /** Orders that were updated, shipped, cancelled or refunded at least once, regardless of what they are now */
  byEvent: Record<string, number>;
  series: OrderSlot[];
}

export interface OrderCancellation {
  reason: "requested_by_customer" | "out_of_stock" | "duplicate" | "fraudulent" | "other";
  /** `user:<id>`, `key:<id>`, `link` (the buyer, by the link of a mail), `admin` or `system` */
  actor: string;
  at: string;
}

export interface OrderDay {
  date: string;
  orders: number;
  /** Currency units, at most two decimals */
  gross: number;
  /** Currency units, at most two decimals */
  refunded: number;
  /** Currency units, at most two decimals */
  disputed: number;
  /** Currency units, at most two decimals */
  net: number;
}

export interface OrderDispute {
  disputeId: string;
  /** As the payment provider names it */
  status: string;
  /** Currency units, at most two decimals. What is disputed, or what the bank took of it; absent in older orders, whose whole charge it is */
  amount?: number | undefined;
  /** As the payment provider names it */
  reason?: string | undefined;
  /** When the provider must have the evidence */
  dueBy?: string | undefined;
  /** Its page at the payment provider's dashboard. In the answer of one order; the sandbox has none */
  url?: string | undefined;
  updatedAt: string;
}

export interface OrderExport {
  orderId: string;
  orderNumber: string;
  createdAt: string;
  /** The place and the parcel that `shippingMethod` was priced for. Absent if its cost is that of no place, for example a rate of SHIPPING_RATES */
  shippingPaidFor?: ShippingPaidFor | undefined;
  /** As the checkout request gave it */
  metadata?: Record<string, string> | undefined;
  shippingAddress?: ShippingAddress | undefined;
  /** How to reach the person who paid, as the payment provider collected it */
  contact?: Contact | undefined;
}

export interface OrderExports {
  orders: OrderExport[];
  pagination: Pagination;
}

export interface OrderFigures {
  /** Orders made in the period, in any state */
  totalOrders: number;
  /** Count of every status, as it is now */
  byStatus: Record<string, number>;
  /** Count of every payment status, as it is now */
  byPaymentStatus: Record<string, number>;
  /** Orders that were updated, shipped, cancelled or refunded at least once, regardless of what they are now */
  byEvent: Record<string, number>;
}

export interface OrderHistory {
  events: OrderHistoryEvent[];
}

export interface OrderHistoryEvent {
  event_id: string;
  event_type:
    | "ORDER_CREATED"
    | "ORDER_UPDATED"
    | "ORDER_CANCELLED"
    | "ORDER_LINES_CANCELLED"
    | "ORDER_SHIPPED"
    | "ORDER_DELIVERED"
    | "ORDER_DELAYED"
    | "ORDER_RETURNED"
    | "ORDER_ERASED"
    | "ORDER_REFUNDED";
  /** The order's version after it */
  version: number;
  timestamp: string;
  /** Amounts in whole cents */
  data: unknown;
}

export interface OrderItem {
  productId: string;
  partNumber: string;
  name: string;
  quantity: number;
  /** Currency units, at most two decimals */
  price: number;
  /** Pieces that were not in stock when it was sold; they are shipped last */
  backordered?: number | undefined;
  /** Until those can be shipped, as far as is known */
  backorderDays?: number | undefined;
  /** Set by a delay that the shop announced */
  expectedAt?: string | undefined;
  /** Currency units, at most two decimals */
  total: number;
  /** Of the pieces for which the most is still to be done */
  state: "open" | "backordered" | "shipped" | "cancelled" | "returned";
  /** Pieces by state; they add up to the quantity */
  quantities: LineQuantities;
}

export interface OrderList {
  orders: Order[];
  pagination: Pagination;
}

export interface OrderLookup {
  orderId: string;
  orderNumber: string;
  status: "pending" | "processing" | "shipped" | "delivered" | "cancelled";
  paymentStatus: "pending" | "paid" | "failed" | "refunded" | "partially_refunded";
  /** `pickup`: the buyer fetches it; absent in older orders, which ship */
  fulfilment?: "ship" | "pickup" | undefined;
  createdAt: string;
}

export interface OrderMails {
  mails: Mail[];
}

export interface OrderNote {
  noteId: string;
  text: string;
  /** `user:<id>`, `key:<id>`, `admin` or `system` */
  actor: string;
  createdAt: string;
}

export interface OrderRefund {
  refundId: string;
  /** Currency units, at most two decimals */
  amount: number;
  /** pending: under way or retried in the background; failed: the money was not refunded */
  status: "pending" | "succeeded" | "failed";
}

export interface OrderReturn {
  returnId: string;
  items: {
    productId: string;
    partNumber: string;
    quantity: number;
  }[];
  reason: "not_needed" | "wrong_part" | "defective" | "damaged" | "other";
  /** Currency units, at most two decimals */
  restockingFee: number;
  createdAt: string;
  /** When it, or the rest of it, was called off */
  cancelledAt?: string | undefined;
  /** What has come of it */
  received: {
    productId: string;
    partNumber: string;
    quantity: number;
  }[];
  /** What is still to come; nothing once it is called off */
  awaited: {
    productId: string;
    partNumber: string;
    quantity: number;
  }[];
  /** When the last pieces came; absent while any are awaited */
  receivedAt?: string | undefined;
}

export interface OrderSlot {
  /** Beginning of the hour or day of the shop; for the first day, of its counted part */
  start: string;
  orders: number;
  /** Those whose payment was taken, in any currency */
  charged: number;
  cancelled: number;
}

export interface OrderStats {
  /** Orders created in the period, in any state */
  totalOrders: number;
  /** Over the orders of the period whose payment was taken (paymentStatus paid, partially_refunded or refunded; cancelled ones too, for their refund stands beside) and is in usd: gross is the sum of their totals, refunded what was paid back of them until now, disputed what disputes hold or took of the rest, net what is left */
  revenue: Revenue;
  /** Currency units, at most two decimals. revenue.gross by the number of orders in it, to the cent; 0 when there is none */
  averageOrderValue: number;
  /** Orders whose payment was taken in another currency than usd, counted by currency: no sum, average or part's revenue has them in it */
  otherCurrencies: Record<string, number>;
  /** Count of every status */
  byStatus: Record<string, number>;
  /** Count of every payment status */
  byPaymentStatus: Record<string, number>;
  /** Days of the shop that have an order, ascending; a refund counts on the day of its order */
  byDay: OrderDay[];
  /** The ten parts with the highest sales in orders whose payment was taken and that are not cancelled; before tax, shipping, discounts and partial refunds */
  topParts: TopPart[];
}

export interface OtherCurrency {
  currency: string;
  orders: number;
  /** In the currency's smallest unit */
  grossMinor: number;
  /** In the currency's smallest unit */
  refundedMinor: number;
  /** In the currency's smallest unit */
  disputedMinor: number;
  /** In the currency's smallest unit */
  netMinor: number;
}

export interface OwnCart {
  /** One line a product, in the order they were added */
  items: CartItem[];
  /** Currency units, at most two decimals */
  total: number;
  /** Sum of the quantities */
  itemCount: number;
  /** When the cart was last written; null when it never was */
  lastSyncedAt: string | null;
}

export interface PageBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PageFindings {
  page: number;
  /** Points; null on pages that a version before 0.3 read */
  width: number | null;
  /** Points; null on pages that a version before 0.3 read */
  height: number | null;
  tables: number;
  /** As many as fit into an answer */
  parts: FoundPart[];
}

export interface PageSyncReport {
  page: number;
  /** As the supplier made the page */
  pageSize: number;
  /** Items that the supplier says it lists */
  total: number | null;
  /** Null, as `total` may be, of a listing by cursor */
  totalPages: number | null;
  /** Rows: written, unchanged, refused and repeated together */
  read: number;
  written: number;
  /** Known and unchanged, so not written */
  unchanged: number;
  /** Listed before, and counted there */
  repeated: number;
  /** Items that could not be used, the first 1,000 of them */
  refused: RefusedItem[];
  refusedTotal: number;
}

export interface Pagination {
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
}

export interface PartAddress {
  slug: string;
  updatedAt: string;
}

export interface PartAnalytics {
  /** Beginning of the hours that are counted (inclusive) */
  from: string;
  /** Their end (exclusive): a period is widened to whole hours */
  to: string;
  /** When the latest event that is counted happened; null before the first */
  as_of: string | null;
  /** Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted */
  behind: number | null;
  /** Of the orders made in the period that are paid, in usd, and not cancelled */
  parts: SoldPart[];
}

export interface PartAvailability {
  /** As requested */
  partNumber: string;
  found: boolean;
  id: string | null;
  title: string | null;
  /** Currency units, at most two decimals. Null when it is not known */
  price: number | null;
  /** Null for a part that is not found; a checkout refuses a discontinued one */
  status: "active" | "discontinued" | null;
  /** Null for a part that is not found */
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | null;
  /** Quantity on hand; null when it is not known */
  stock: number | null;
  /** The supplier's answer of the last minute; otherwise the catalog's values */
  live: boolean;
  /** Age of the supplier's answer: less than a minute if `live`; of the catalog's values, if the supplier confirmed them within the last hour. Null if unknown */
  ageSeconds: number | null;
  /** Why these are not the supplier's current values. `not_listed`: it does not have the part, so its stock is unknown; any other value is the outcome of the request. Null if `live`, and for a part that is not found */
  reason:
    | "not_listed"
    | "retired_vendor"
    | "not_asked"
    | "timed_out"
    | "unavailable"
    | "busy"
    | "refused"
    | "unreadable"
    | "circuit_open"
    | null;
}

export interface PartDetail {
  id: string;
  /** The same as id: what a cart item carries */
  productId: string;
  slug: string;
  sku: string;
  partNumber: string;
  title: string;
  manufacturer: Manufacturer;
  category: string;
  /** Currency units, at most two decimals. Null: price on request, and not to be put into a cart yet */
  price: number | null;
  /** Currency units, at most two decimals. The same as price: what a cart item carries */
  unitPrice: number | null;
  currency: string;
  imageUrl: string | null;
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown";
  status: "active" | "discontinued";
  /** Part number of the successor */
  supersededBy: string | null;
  /** Of one piece, grams; left out while unknown */
  weightGrams?: number | undefined;
  /** Dangerous goods */
  hazmat?: boolean | undefined;
  /** Larger than parcel services take */
  oversize?: boolean | undefined;
  description: string | null;
  /** Other spellings of its number, and numbers that it also goes by */
  skuVariants: string[];
  media?: PartMedia | undefined;
  /** Where its data came from: `price_file`, `dis`, or a supplier's listing, such as `tire_supplier` */
  sources: string[];
  createdAt: string;
  updatedAt: string;
}

export interface PartMedia {
  hasImages: boolean;
  imageCount: number;
  images?:
    | {
        url: string;
        type: string;
      }[]
    | undefined;
}

export interface PartPreview {
  id: string;
  /** The same as id: what a cart item carries */
  productId: string;
  slug: string;
  sku: string;
  partNumber: string;
  title: string;
  manufacturer: Manufacturer;
  category: string;
  /** Currency units, at most two decimals. Null: price on request, and not to be put into a cart yet */
  price: number | null;
  /** Currency units, at most two decimals. The same as price: what a cart item carries */
  unitPrice: number | null;
  currency: string;
  imageUrl: string | null;
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown";
  status: "active" | "discontinued";
  /** Part number of the successor */
  supersededBy: string | null;
  /** Of one piece, grams; left out while unknown */
  weightGrams?: number | undefined;
  /** Dangerous goods */
  hazmat?: boolean | undefined;
  /** Larger than parcel services take */
  oversize?: boolean | undefined;
  /** Escaped for HTML, with matches in `<em>`; a field without a match is left out */
  highlights: Highlights;
  /** The part number in the query that found this part: it replaces that one, `AG777485` */
  replaces?: string | undefined;
  /** The number in the query in whose place the part can be used, if another maker's number found it */
  interchangeOf?: InterchangeOf | undefined;
}

export interface PartPrice {
  list: {
    /** Currency units, at most two decimals */
    value: number;
    currency: string;
  };
}

export interface PartReference {
  id: string;
  partNumber: string;
  title: string;
  status: "active" | "discontinued";
}

export interface PartResponse {
  part_number: string;
  description: string;
  /** Diagrams and sections of manuals in which it appears */
  schemas: string[];
  /** How many the equipment has, where `pdf_link` leads */
  quantity: number | null;
  /** The page of the manual */
  pdf_link: string | null;
  /** Active and priced in the catalog, regardless of its stock */
  available_for_purchase: boolean;
  in_stock: boolean | null;
  stock_quantity: number | null;
  /** Currency units, at most two decimals */
  price: number | null;
  /** Of a part in stock, by the fastest and the cheapest shipping method; null where carriers say that */
  estimated_delivery: string | null;
  /** With `include_store_link`, or once it was asked for; of parts that can be bought */
  store_link?: string | undefined;
}

export interface PartStock {
  /** As the supplier last said */
  quantityOnHand: number;
  /** Pieces that unpaid checkouts and unshipped orders hold: `availability` is of the rest */
  held?: number | undefined;
  /** When the supplier first said this quantity; saying it again changes nothing */
  learntAt: string;
}

export interface PaymentIntent {
  /** For the provider's own form in the browser */
  clientSecret: string;
  paymentIntentId: string;
  /** Whole cents. Where shipping has a cost: what is paid, shipping and tax included */
  amount?: number | undefined;
  /** Whole cents */
  shipping?: number | undefined;
  /** Whole cents */
  tax?: number | undefined;
  /** What is not in stock now; left out if all is, or while the stock is unknown */
  backordered?: Backordered[] | undefined;
}

export interface PaymentMethod {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  isDefault: boolean;
}

export interface PaymentVerification {
  paymentIntentId: string;
  /** The provider's status, such as `succeeded` or `requires_payment_method` */
  status: string;
  paid: boolean;
  /** Whole cents. As in the request of a payment intent */
  amount: number;
  currency: string;
  /** null until the order is made */
  orderId: string | null;
}

export interface PriceFacet {
  /** Currency units, at most two decimals */
  min: number | null;
  /** Currency units, at most two decimals */
  max: number | null;
  ranges: PriceRange[];
}

export interface PriceRange {
  /** Currency units, at most two decimals. To be sent as minPrice */
  from: number;
  /** Currency units, at most two decimals. Included; to be sent as maxPrice. Null is open */
  to: number | null;
  count: number;
}

export interface Projection {
  name: "orders" | "conversion" | "searches";
  /** `rebuilding`: rebuilt beside the live figures; `ahead`: the event store lost events that are counted, and new ones may be left out until a rebuild; `unknown`: the event store does not answer */
  state: "current" | "catching_up" | "rebuilding" | "ahead" | "unknown";
  /** Of what is read */
  generation: number;
  /** Of the last event that is counted */
  position: number;
  /** When the latest event that is counted happened; null before the first */
  as_of: string | null;
  /** Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted */
  behind: number | null;
  rebuilding: ProjectionRebuild | null;
}

export interface ProjectionList {
  projections: Projection[];
}

export interface ProjectionRebuild {
  generation: number;
  position: number;
  startedAt: string;
}

export interface ProviderFailures {
  provider: string;
  reason: string;
  count: number;
}

export interface QueryResponse {
  answer: string;
  parts: PartResponse[];
  /** Store links would apply. To get them, say yes with the same X-Session-Id or bearer token, or ask again with `include_store_link: true` */
  needs_confirmation: boolean;
  store_link_question: string | null;
  /** Ready to be done by the client: `add_to_cart` where the question asks for that and one part is meant, `open_store` where store links are given, `look_up_order` where it is about an order */
  actions: DeskAction[];
}

export interface QueuePoint {
  at: string;
  /** Events that are not relayed yet */
  outbox: number;
  /** Events that wait for a consumer group, and tasks that are due */
  pending: number;
  /** Dead letters */
  dead: number;
  /** Age of the oldest event that waits */
  oldestAgeMs: number;
}

export interface QuotedItemInput {
  productId: string;
  partNumber: string;
  title?: string | undefined;
  quantity: number;
  /** Currency units, at most two decimals */
  unitPrice?: number | undefined;
  /** A name; or an object that has it as `name`, as in a search hit */
  manufacturer?:
    | string
    | {
        name: string;
      }
    | undefined;
  /** Ignored: everything is in usd */
  currency?: string | undefined;
  /** An http(s) URL; null, as in a search hit without a picture, is the same as none */
  imageUrl?: string | null | undefined;
  availability?: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | undefined;
  /** Ignored; search hits have it */
  id?: unknown;
  /** Ignored; search hits have it */
  objectID?: unknown;
  /** Ignored; search hits have it */
  slug?: unknown;
  /** Ignored; search hits have it */
  sku?: unknown;
  /** Ignored; search hits have it */
  skuVariants?: unknown;
  /** Ignored; search hits have it */
  description?: unknown;
  /** Ignored; search hits have it */
  category?: unknown;
  /** Ignored; search hits have it */
  price?: unknown;
  /** Ignored; search hits have it */
  status?: unknown;
  /** Ignored; search hits have it */
  supersededBy?: unknown;
  /** Ignored; search hits have it */
  weightGrams?: unknown;
  /** Ignored; search hits have it */
  hazmat?: unknown;
  /** Ignored; search hits have it */
  oversize?: unknown;
  /** Ignored; search hits have it */
  interchangeOf?: unknown;
  /** Ignored; search hits have it */
  replaces?: unknown;
  /** Ignored; search hits have it */
  media?: unknown;
  /** Ignored; search hits have it */
  sources?: unknown;
  /** Ignored; search hits have it */
  createdAt?: unknown;
  /** Ignored; search hits have it */
  updatedAt?: unknown;
  /** Ignored; search hits have it */
  highlights?: unknown;
  /** Ignored; search hits have it */
  _highlightResult?: unknown;
}

export interface RefundedOrder {
  orderId: string;
  orderNumber: string;
  /** `guest` for a checkout without an account, a pseudonym once the account is deleted */
  userId: string;
  items: OrderItem[];
  /** Currency units, at most two decimals */
  subtotal: number;
  /** Currency units, at most two decimals */
  tax: number;
  /** Currency units, at most two decimals. The part of `tax` that the prices include: total is subtotal, shipping and tax less this and any discount. Absent where tax is added to the prices */
  includedTax?: number | undefined;
  /** Currency units, at most two decimals */
  shipping: number;
  /** Currency units, at most two decimals. Discount by a promotion code: total is subtotal, tax and shipping less it. Absent without one */
  discount?: number | undefined;
  /** Currency units, at most two decimals */
  total: number;
  currency: string;
  /** `pickup`: the buyer fetches it; absent in older orders, which ship */
  fulfilment?: "ship" | "pickup" | undefined;
  /** What was chosen and charged; `shipping` is the amount that was paid for it */
  shippingMethod?: ShippingMethod | undefined;
  /** The place and the parcel that `shippingMethod` was priced for. Absent if its cost is that of no place, for example a rate of SHIPPING_RATES */
  shippingPaidFor?: ShippingPaidFor | undefined;
  /** What `tax` consists of, as the payment provider calculated it; absent without tax */
  taxes?: Tax[] | undefined;
  /** As the checkout request gave it */
  metadata?: Record<string, string> | undefined;
  shippingAddress?: ShippingAddress | undefined;
  /** How to reach the person who paid, as the payment provider collected it */
  contact?: Contact | undefined;
  status: "pending" | "processing" | "shipped" | "delivered" | "cancelled";
  paymentStatus: "pending" | "paid" | "failed" | "refunded" | "partially_refunded";
  /** Currency units, at most two decimals */
  refundedAmount: number;
  /** Currency units, at most two decimals. What is still to be refunded of a cancelled order, or of pieces that were cancelled or returned, because a refund failed: it is retried until it succeeds. Absent when nothing is due */
  refundDue?: number | undefined;
  /** Currency units, at most two decimals. What the buyer's bank holds of the payment because of a dispute, or took; it is neither the shop's nor refunded. Absent when there is nothing */
  disputedAmount?: number | undefined;
  /** It ships, and its address lacks what a carrier needs: its owner or the shop gives it. Absent if not */
  addressMissing?: boolean | undefined;
  /** It is still to be shipped, to a place that costs more than the one that shipping was paid for. Absent if not */
  shippingUnderpaid?: ShippingUnderpaid | undefined;
  shipments?: Shipment[] | undefined;
  /** Pieces that come back; those that have come are `returned` in the items */
  returns?: OrderReturn[] | undefined;
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  createdAt: string;
  updatedAt: string;
  /** Increases by one with every change; send it back to update only the version that you read */
  version: number;
  /** For admins alone; customers never see it */
  adminNote?: string | undefined;
  /** The oldest first */
  notes?: OrderNote[] | undefined;
  cartId: string | null;
  /** Checkout session at the payment provider */
  sessionId: string | null;
  paymentIntentId: string | null;
  cancellation?: OrderCancellation | undefined;
  refunds: AdminOrderRefund[];
  /** open: a dispute has money of the order and is not decided; lost: the bank took it; inquiry: the bank asks, and has no money. Of several the first in this order; absent when there is none, or all are over */
  disputeState?: "open" | "lost" | "inquiry" | undefined;
  disputes: OrderDispute[];
  refund: OrderRefund;
}

export interface RefundItemInput {
  /** Required if a part number of the order stands for several products */
  productId?: string | undefined;
  /** Enough if the order has one product with it */
  partNumber?: string | undefined;
  quantity: number;
}

export interface RefusedItem {
  page: number;
  /** Its place on the page, from 1 */
  item: number;
  reason: string;
}

export interface RemovedManual {
  deleted: boolean;
}

export interface ReplayedDeadLetter {
  id: string;
  replayed: boolean;
}

export interface RetriedTask {
  id: string;
  retried: boolean;
}

export interface Revenue {
  /** Currency units, at most two decimals */
  gross: number;
  /** Currency units, at most two decimals */
  refunded: number;
  /** Currency units, at most two decimals */
  disputed: number;
  /** Currency units, at most two decimals */
  net: number;
}

export interface RevenueAnalytics {
  /** Beginning of the hours that are counted (inclusive) */
  from: string;
  /** Their end (exclusive): a period is widened to whole hours */
  to: string;
  /** When the latest event that is counted happened; null before the first */
  as_of: string | null;
  /** Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted */
  behind: number | null;
  currency: string;
  /** Orders in this currency whose payment was taken */
  chargedOrders: number;
  /** Over the orders made in the period whose payment was taken and is in this currency: gross is the sum of their totals (of cancelled ones too), refunded what was paid back of them until now, net the difference */
  revenue: CountedRevenue;
  /** Currency units, at most two decimals. gross by the number of orders in it, to the cent; 0 when there is none */
  averageOrderValue: number;
  /** The same of orders that were paid in another currency, each for itself: never added up, in the smallest units of that currency */
  otherCurrencies: OtherCurrency[];
  /** A refund counts in the hour or day of its order */
  series: RevenueSlot[];
}

export interface RevenueFigures {
  currency: string;
  /** Orders in this currency whose payment was taken */
  chargedOrders: number;
  /** Over the orders made in the period whose payment was taken and is in this currency: gross is the sum of their totals (of cancelled ones too), refunded what was paid back of them until now, net the difference */
  revenue: CountedRevenue;
  /** Currency units, at most two decimals. gross by the number of orders in it, to the cent; 0 when there is none */
  averageOrderValue: number;
  /** The same of orders that were paid in another currency, each for itself: never added up, in the smallest units of that currency */
  otherCurrencies: OtherCurrency[];
}

export interface RevenueSlot {
  /** Beginning of the hour or day of the shop; for the first day, of its counted part */
  start: string;
  /** Orders in it */
  charged: number;
  /** Currency units, at most two decimals */
  gross: number;
  /** Currency units, at most two decimals */
  refunded: number;
  /** Currency units, at most two decimals */
  disputed: number;
  /** Currency units, at most two decimals */
  net: number;
  /** Currency units, at most two decimals. gross by the number of orders in it, to the cent; 0 when there is none */
  averageOrderValue: number;
}

export interface RouteLatency {
  entry: string;
  method: string;
  route: string;
  requests: number;
  /** Answered 5xx */
  errors: number;
  /** Milliseconds; null without a request */
  meanMs: number | null;
  /** As exact as the histogram's buckets; 10000 stands for that and more. Null without a request */
  p50Ms: number | null;
  /** Milliseconds; null without a request */
  p95Ms: number | null;
  /** Milliseconds; null without a request */
  p99Ms: number | null;
}

export interface SearchAnalytics {
  /** Beginning of the hours that are counted (inclusive) */
  from: string;
  /** Their end (exclusive): a period is widened to whole hours */
  to: string;
  /** When the latest event that is counted happened; null before the first */
  as_of: string | null;
  /** Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted */
  behind: number | null;
  searches: number;
  /** Those that found nothing */
  zeroHits: number;
  /** Of these, searches by filters alone */
  withoutText: SearchCount;
  /** Of these, searches that the lists of texts do not have: the first 200 different texts of an hour are kept apart, 24 times as many a day at most; of a period with more than 100000 different texts, rare ones are here too */
  others: SearchCount;
  /** Searched for most often */
  queries: SearchedText[];
  series: SearchSlot[];
}

export interface SearchCount {
  searches: number;
  /** Those that found nothing */
  zeroHits: number;
}

export interface SearchedText {
  /** As it was typed, in lower case, without accents; its first 100 characters */
  query: string;
  searches: number;
  /** Those that found nothing */
  zeroHits: number;
}

export interface SearchFigures {
  searches: number;
  /** Those that found nothing */
  zeroHits: number;
  /** Of these, searches by filters alone */
  withoutText: SearchCount;
  /** Of these, searches that the lists of texts do not have: the first 200 different texts of an hour are kept apart, 24 times as many a day at most; of a period with more than 100000 different texts, rare ones are here too */
  others: SearchCount;
}

export interface SearchPagination {
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
}

export interface SearchResponse {
  parts: PartPreview[];
  /** `total` counts every part that matches, `totalPages` the pages that can be asked for */
  pagination: SearchPagination;
  /** Each is counted without its own filter. */
  facets: Facets;
  /** No part meets the whole query: the hits are those of this one, which asks for most of it. Empty where the words name a machine or a price alone */
  relaxedTo?: string | undefined;
  /** The model among the words of the query whose parts alone `relaxedTo` finds */
  equipment?: string | undefined;
  /** Currency units: the lowest price among the words of the query (`over $20`) */
  minPrice?: number | undefined;
  /** Currency units: the highest price among them (`under 60 dollars`) */
  maxPrice?: number | undefined;
  /** A query that would find something, if this one does not */
  suggestion?: string | undefined;
}

export interface SearchSlot {
  /** Beginning of the hour or day of the shop; for the first day, of its counted part */
  start: string;
  searches: number;
  /** Those that found nothing */
  zeroHits: number;
}

export interface SearchSuggestion {
  /** What to search for */
  text: string;
  /** The same, escaped for HTML, what was typed in `<em>` */
  highlighted: string;
  /** `part` names one part, `query` is a search for more of them */
  kind: "part" | "query";
  /** The part that a suggestion of kind `part` names */
  part?: SuggestedPart | undefined;
}

export interface SerialRange {
  /** As printed; null if it is open */
  from: string | null;
  /** The same; included */
  to: string | null;
}

export interface SetupIntent {
  setupIntentId: string;
  clientSecret: string;
}

export interface Shipment {
  shipmentId: string;
  items: {
    productId: string;
    partNumber: string;
    quantity: number;
  }[];
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  createdAt: string;
}

export interface ShippingAddress {
  name?: string | undefined;
  street?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  postalCode?: string | undefined;
  country?: string | undefined;
  phone?: string | undefined;
}

export interface ShippingAddressInput {
  name?: string | undefined;
  street?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  postalCode?: string | undefined;
  country?: string | undefined;
  phone?: string | undefined;
}

export interface ShippingDestinationInput {
  name?: string | undefined;
  street?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  postalCode?: string | undefined;
  country: string;
  phone?: string | undefined;
}

export interface ShippingMethod {
  provider: string;
  serviceType: string;
  /** Currency units, at most two decimals */
  cost: number;
  estimatedDays?: number | undefined;
}

export interface ShippingPaidFor {
  country: string;
  state?: string | undefined;
  postalCode?: string | undefined;
  weightGrams: number;
  hazmat?: boolean | undefined;
  oversize?: boolean | undefined;
}

export interface ShippingQuote {
  provider: string;
  serviceType: string;
  /** Currency units, at most two decimals */
  cost: number;
  estimatedDays?: number | undefined;
  /** To be sent as `quote` */
  quote: string;
}

export interface ShippingQuotes {
  methods: ShippingQuote[];
}

export interface ShippingRateInput {
  provider: string;
  serviceType: string;
  /** Currency units, at most two decimals */
  cost: number;
  estimatedDays?: number | undefined;
}

export interface ShippingUnderpaid {
  /** Currency units, at most two decimals. What shipping there costs more than was paid. Absent if nothing ships there, or the cost is unknown */
  amount?: number | undefined;
  /** The zone that shipping was paid for */
  paidFor: string;
  /** The zone of the address */
  goesTo: string;
}

export interface Sitemap {
  pages: SitemapPage[];
}

export interface SitemapPage {
  /** Code in upper case */
  vendor: string;
  /** Id of the part before the page; the first has none */
  after?: string | undefined;
}

export interface SoldPart {
  productId: string;
  /** The one under which most pieces were sold */
  partNumber: string;
  /** Its title in those orders; null of orders counted before 0.3 */
  name: string | null;
  quantity: number;
  /** Currency units, at most two decimals. Price by quantity, before tax, shipping, discounts and partial refunds */
  revenue: number;
}

export interface StoredDocument {
  id: string;
  /** Of the document's newest event */
  event_id: string;
  version: number;
}

export interface StoredDocuments {
  /** How many of them made an event */
  stored: number;
  /** In the order of the request */
  documents: StoredDocument[];
}

export interface StoredEvent {
  event_id: string;
  /** Ascending over all events, from 1 */
  position: number;
  aggregate_id: string;
  aggregate_type: string;
  /** Ascending in the aggregate without gaps, from 1 */
  version: number;
  event_type: string;
  /** Any JSON object. Numbers are doubles: an integer beyond 2^53 loses digits, so write it as a text */
  data: Record<string, unknown>;
  /** What was said about the event beside its data; empty when nothing was. `amounts: "minor"`, on each event of the system itself: amounts in its data are whole cents */
  metadata: Record<string, unknown>;
  /** When it happened; an event that is recorded late may be older than one with a smaller position */
  timestamp: string;
}

export interface SuggestedPart {
  id: string;
  partNumber: string;
  title: string;
  /** Currency units, at most two decimals */
  unitPrice: number | null;
  imageUrl: string | null;
}

export interface Supersession {
  id: string;
  partNumber: string;
  /** Parts that name this one as their successor, at most 100 */
  supersedes: PartReference[];
  /** Its successor, that one's successor, and so on */
  supersededBy: PartReference[];
  /** Part number at the end of the chain that the catalog does not have */
  unknownSuccessor: string | null;
  /** The successors lead back to a part before; the chain ends there */
  cycle: boolean;
}

export interface SupersessionNote {
  partNumber: string;
  /** The page of the manual */
  pdf_link: string;
}

export interface SyncPages {
  done: number;
  failed: number;
  /** Null until it is known */
  total: number | null;
}

export interface SyncReport {
  syncId: string;
  /** The tire supplier's listing, that of another supplier, or the dealer's price and stock */
  kind: "tires" | "listing" | "refresh";
  /** Code in upper case */
  vendor: string;
  /** `completed`: the listing was complete and every item usable; `partially_failed`: what was received is kept, and `errors`, `refused`, `failed` and `notes` say what is missing; `failed`: nothing was received */
  status: "running" | "completed" | "partially_failed" | "failed";
  pages: SyncPages;
  rows: SyncRows;
  /** Rows a second */
  rate: number;
  /** Notes for the operator; present once it has ended */
  notes: string[];
  startedAt: string;
  finishedAt: string | null;
  /** Items that could not be used, the first 1,000 of them */
  refused: RefusedItem[];
  /** Parts without an answer for price and stock, the first 1,000 of them; they keep the known values */
  failed: FailedPart[];
  /** Missing pages, the first 1,000 of them */
  errors: FailedPage[];
}

export interface SyncRows {
  /** Rows so far: written, unchanged, refused, repeated, notFound and failed together */
  read: number;
  written: number;
  /** Known and unchanged, so not written */
  unchanged: number;
  /** Listed before, and counted there */
  repeated: number;
  /** Items that could not be used */
  refused: number;
  /** Parts that the dealer does not have: their stock is unknown from now on */
  notFound: number;
  /** Parts that the dealer could not be asked about */
  failed: number;
  /** Parts that are no longer listed */
  discontinued: number;
}

export interface SyncSummary {
  syncId: string;
  /** The tire supplier's listing, that of another supplier, or the dealer's price and stock */
  kind: "tires" | "listing" | "refresh";
  /** Code in upper case */
  vendor: string;
  /** `completed`: the listing was complete and every item usable; `partially_failed`: what was received is kept, and `errors`, `refused`, `failed` and `notes` say what is missing; `failed`: nothing was received */
  status: "running" | "completed" | "partially_failed" | "failed";
  pages: SyncPages;
  rows: SyncRows;
  /** Rows a second */
  rate: number;
  /** Notes for the operator; present once it has ended */
  notes: string[];
  startedAt: string;
  finishedAt: string | null;
}

export interface SynonymSet {
  /** ISO 639-1 */
  language: string;
  /** The product's own */
  isDefault: boolean;
  /** `a, b`: each asks for the other too. `a, b => c`: a and b ask for c too. Plurals with s, case and accents are as one */
  lines: string[];
}

export interface SynonymTrial {
  before: {
    hits: PartPreview[];
    /** Parts that match */
    total: number;
  };
  after: {
    hits: PartPreview[];
    /** Parts that match */
    total: number;
  };
}

export interface Task {
  /** Kind and key */
  id: string;
  kind: string;
  /** A kind has one task of a key */
  key: string;
  /** Tasks of a lane wait for each other alone: an endpoint's messages */
  lane?: string | undefined;
  /** `waiting`: until `due_at`, or for a free place; `held`: a process runs it, or died less than 15 seconds ago; `dead`: given up; `done`: kept for a while */
  state: "waiting" | "held" | "dead" | "done";
  payload: Record<string, unknown>;
  /** As its last run kept it */
  progress?: Record<string, unknown> | undefined;
  attempts: number;
  due_at: string;
  /** Of the last run that failed */
  reason?: string | undefined;
  died_at?: string | undefined;
}

export interface TaskList {
  tasks: Task[];
}

export interface Tax {
  name: string;
  /** Currency units, at most two decimals */
  amount: number;
}

export interface TestChat {
  /** `error`: the configured chat model does not answer, or its answer failed the check */
  status: "ok" | "error";
  model_config: ChatModelConfig;
  test_query: string;
  agent_response: string;
  agent_state: AgentState;
}

export interface TimedJob {
  /** `dealer`, or the vendor code of a supplier with a listing */
  job: string;
  everySeconds: number;
  paused: boolean;
  /** When its last complete run ended */
  succeededAt: string | null;
  /** Null while it is paused */
  nextAt: string | null;
}

export interface Tire {
  /** In one spelling */
  size: string;
  /** `inch`: by diameter, width and rim, or width and rim of a radial; `metric`: width in millimetres; `flotation`: as inch, with LL or LT, a radial, or 30 inches high; `bias`: width and rim of a cross-ply tire */
  system: "inch" | "metric" | "flotation" | "bias";
  construction: "radial" | "bias";
  /** Such as IF, VF, ST, LT, P */
  prefix?: string | undefined;
  /** Inches */
  diameter?: number | undefined;
  /** Inches; millimetres if the system is metric */
  width: number;
  /** Height in percent of the width */
  aspect?: number | undefined;
  /** Of a tire of two widths, as 4.80/4.00-8 */
  otherWidth?: number | undefined;
  /** Inches */
  rim: number;
  /** A low section */
  section?: "L" | "LL" | undefined;
  /** Such as LT, NHS */
  suffix?: string | undefined;
  /** Ply rating, also from the load range */
  ply?: number | undefined;
  loadIndex?: number | undefined;
  /** Of one of a pair */
  loadIndexDual?: number | undefined;
  /** Speed symbol */
  speed?: string | undefined;
  /** Name of the tread */
  pattern?: string | undefined;
  tube?: "tubeless" | "tube_type" | undefined;
}

export interface TopPart {
  productId: string;
  partNumber: string;
  name: string;
  quantity: number;
  /** Currency units, at most two decimals */
  revenue: number;
}

export interface UpdatedOrder {
  orderId: string;
  orderNumber: string;
  /** `guest` for a checkout without an account, a pseudonym once the account is deleted */
  userId: string;
  items: OrderItem[];
  /** Currency units, at most two decimals */
  subtotal: number;
  /** Currency units, at most two decimals */
  tax: number;
  /** Currency units, at most two decimals. The part of `tax` that the prices include: total is subtotal, shipping and tax less this and any discount. Absent where tax is added to the prices */
  includedTax?: number | undefined;
  /** Currency units, at most two decimals */
  shipping: number;
  /** Currency units, at most two decimals. Discount by a promotion code: total is subtotal, tax and shipping less it. Absent without one */
  discount?: number | undefined;
  /** Currency units, at most two decimals */
  total: number;
  currency: string;
  /** `pickup`: the buyer fetches it; absent in older orders, which ship */
  fulfilment?: "ship" | "pickup" | undefined;
  /** What was chosen and charged; `shipping` is the amount that was paid for it */
  shippingMethod?: ShippingMethod | undefined;
  /** The place and the parcel that `shippingMethod` was priced for. Absent if its cost is that of no place, for example a rate of SHIPPING_RATES */
  shippingPaidFor?: ShippingPaidFor | undefined;
  /** What `tax` consists of, as the payment provider calculated it; absent without tax */
  taxes?: Tax[] | undefined;
  /** As the checkout request gave it */
  metadata?: Record<string, string> | undefined;
  shippingAddress?: ShippingAddress | undefined;
  /** How to reach the person who paid, as the payment provider collected it */
  contact?: Contact | undefined;
  status: "pending" | "processing" | "shipped" | "delivered" | "cancelled";
  paymentStatus: "pending" | "paid" | "failed" | "refunded" | "partially_refunded";
  /** Currency units, at most two decimals */
  refundedAmount: number;
  /** Currency units, at most two decimals. What is still to be refunded of a cancelled order, or of pieces that were cancelled or returned, because a refund failed: it is retried until it succeeds. Absent when nothing is due */
  refundDue?: number | undefined;
  /** Currency units, at most two decimals. What the buyer's bank holds of the payment because of a dispute, or took; it is neither the shop's nor refunded. Absent when there is nothing */
  disputedAmount?: number | undefined;
  /** It ships, and its address lacks what a carrier needs: its owner or the shop gives it. Absent if not */
  addressMissing?: boolean | undefined;
  /** It is still to be shipped, to a place that costs more than the one that shipping was paid for. Absent if not */
  shippingUnderpaid?: ShippingUnderpaid | undefined;
  shipments?: Shipment[] | undefined;
  /** Pieces that come back; those that have come are `returned` in the items */
  returns?: OrderReturn[] | undefined;
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  createdAt: string;
  updatedAt: string;
  /** Increases by one with every change; send it back to update only the version that you read */
  version: number;
  /** For admins alone; customers never see it */
  adminNote?: string | undefined;
  /** The oldest first */
  notes?: OrderNote[] | undefined;
  cartId: string | null;
  /** Checkout session at the payment provider */
  sessionId: string | null;
  paymentIntentId: string | null;
  cancellation?: OrderCancellation | undefined;
  refunds: AdminOrderRefund[];
  /** open: a dispute has money of the order and is not decided; lost: the bank took it; inquiry: the bank asks, and has no money. Of several the first in this order; absent when there is none, or all are over */
  disputeState?: "open" | "lost" | "inquiry" | undefined;
  disputes: OrderDispute[];
  /** Given when the update was a cancellation */
  refund?: OrderRefund | null | undefined;
}

export interface Upload {
  batch_id: string;
  /** Of the work on this file: the same bytes have the same */
  job_id: string;
  filename: string;
  /** SHA-256 of the PDF */
  sha256: string;
  status: "queued" | "processing" | "completed" | "partially_failed" | "failed" | "cancelled";
  /** Fields that changed nothing: the file is known, with other values */
  not_taken?: ("equipment" | "manufacturer")[] | undefined;
}

export interface User {
  /** The identity provider's id, `sub` of the user's tokens */
  userId: string;
  /** The primary address at the identity provider */
  email: string | null;
  /** What the user set here, else the identity provider's first and last name */
  name: string | null;
  /** What the user set here, else the primary number at the identity provider */
  phone: string | null;
  /** Given by the identity provider; not writable here */
  role: "admin" | "owner" | "clerk" | "catalog" | "read-only" | "customer";
  addresses: ShippingAddress[];
  /** Null until the user is kept here */
  createdAt: string | null;
  updatedAt: string | null;
}

export interface UserCart {
  userId: string;
  /** One line a product, in the order they were added */
  items: CartItem[];
  /** Currency units, at most two decimals */
  subtotal: number;
  currency: "usd";
  /** When the cart was last written; null when it never was */
  updatedAt: string | null;
}

export interface VendorName {
  /** Code in upper case */
  code: string;
  /** The code, as long as nobody has said another */
  name: string;
  aliases: string[];
  /** Where its prices come from: the dealer inventory system, price files, or its supplier's listing */
  pricing: "dis" | "manual" | "listing";
  /** The product's own names */
  isDefault: boolean;
  /** What becomes of pieces beyond the stock (STOCK_POLICY): they are sold as backordered, or refused */
  beyondStock: "sell" | "up_to_stock";
  /** Until backordered pieces can be shipped, as it says */
  backorderDays?: number | undefined;
}

export interface VendorNumber {
  /** Code in upper case */
  vendor: string;
  pnNorm: string;
  partNumber: string;
}

export interface WebhookAttempt {
  attemptedAt: string;
  outcome: "delivered" | "failed";
  /** Of the answer; absent without one */
  status?: number | undefined;
  /** Why it failed */
  reason?: string | undefined;
  durationMs: number;
  /** The first 4 kB of the answer's body; not if data of persons was sent, which it may repeat */
  answer?: string | undefined;
}

export interface WebhookDelivery {
  messageId: string;
  type: string;
  /** When the event happened */
  occurredAt: string;
  /** failed: given up, after the last retry, or as the endpoint is disabled or has the type no more */
  state: "waiting" | "delivered" | "failed";
  /** How often it was sent */
  attempts: number;
  nextAttemptAt?: string | undefined;
  deliveredAt?: string | undefined;
}

export interface WebhookDeliveryList {
  deliveries: WebhookDelivery[];
  pagination: Pagination;
}

export interface WebhookDeliveryWithAttempts {
  messageId: string;
  type: string;
  /** When the event happened */
  occurredAt: string;
  /** failed: given up, after the last retry, or as the endpoint is disabled or has the type no more */
  state: "waiting" | "delivered" | "failed";
  /** How often it was sent */
  attempts: number;
  nextAttemptAt?: string | undefined;
  deliveredAt?: string | undefined;
  /** The newest 100 attempts of the last 30 days, the newest first */
  log: WebhookAttempt[];
}

export interface WebhookEndpoint {
  endpointId: string;
  url: string;
  eventTypes: string[];
  description?: string | undefined;
  /** The events of an aggregate (an order) come one after another, each when the one before was delivered */
  ordered: boolean;
  disabled: boolean;
  /** failing: no attempt succeeded for five days; gone: the receiver answered 410; maker_ended: its maker's key was revoked, or its maker may no longer change webhooks */
  disabledReason?: "by_admin" | "failing" | "gone" | "maker_ended" | undefined;
  /** Its maker, as in the audit stream. After `maker_ended`, who enabled it again */
  createdBy?: string | undefined;
  /** No attempt has succeeded since; after 5 days it is disabled */
  failingSince?: string | undefined;
  /** Until then, requests are signed with the secret before too */
  secretExpiresAt?: string | undefined;
  createdAt: string;
  updatedAt: string;
}

export interface WebhookEndpointList {
  endpoints: WebhookEndpoint[];
  pagination: Pagination;
}

export interface WebhookEndpointWithSecret {
  endpointId: string;
  url: string;
  eventTypes: string[];
  description?: string | undefined;
  /** The events of an aggregate (an order) come one after another, each when the one before was delivered */
  ordered: boolean;
  disabled: boolean;
  /** failing: no attempt succeeded for five days; gone: the receiver answered 410; maker_ended: its maker's key was revoked, or its maker may no longer change webhooks */
  disabledReason?: "by_admin" | "failing" | "gone" | "maker_ended" | undefined;
  /** Its maker, as in the audit stream. After `maker_ended`, who enabled it again */
  createdBy?: string | undefined;
  /** No attempt has succeeded since; after 5 days it is disabled */
  failingSince?: string | undefined;
  /** Until then, requests are signed with the secret before too */
  secretExpiresAt?: string | undefined;
  createdAt: string;
  updatedAt: string;
  /** Shown here alone */
  secret: string;
}

export interface WebhookReplay {
  replayId: string;
  /** How many there are to send */
  deliveries: number;
}

export interface WholePart {
  /** `{code}-{pnNorm}` in lower case */
  id: string;
  slug: string;
  sku: string;
  /** Other ways in which the number is written */
  skuVariants: string[];
  /** As the supplier writes it */
  partNumber: string;
  /** Upper case, letters and digits only */
  pnNorm: string;
  title: string;
  description?: string | undefined;
  manufacturer: Manufacturer;
  category: string;
  media?: PartMedia | undefined;
  status: "active" | "discontinued";
  /** Where its data came from: `price_file`, `dis`, or a supplier's listing, such as `tire_supplier` */
  sources: string[];
  /** Part number of its successor at the same vendor */
  supersededBy?: string | undefined;
  /** `out_of_stock`: none on hand, or the supplier does not sell it now; `low_stock`: 1 to 5 on hand; `in_stock`: more; `unknown`: never reported */
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown";
  /** Left out while unknown */
  stock?: PartStock | undefined;
  /** Of one piece, grams; left out while unknown */
  weightGrams?: number | undefined;
  /** Dangerous goods */
  hazmat?: boolean | undefined;
  /** Larger than parcel services take */
  oversize?: boolean | undefined;
  /** What the title of a tire or wheel says of it, if it has a size */
  tire?: Tire | undefined;
  createdAt: string;
  updatedAt: string;
  price?: PartPrice | undefined;
  /** What it fits, as equipment manuals say */
  fitment: Fitment[];
  supersession: {
    /** Parts that name this one as their successor, at most 100 */
    supersedes: PartReference[];
    /** Its successor, that one's successor, and so on */
    supersededBy: PartReference[];
    /** Part number at the end of the chain that the catalog does not have */
    unknownSuccessor: string | null;
    /** The successors lead back to a part before; the chain ends there */
    cycle: boolean;
  };
  /** By cross references, the nearest first, at most 200 each way. A circle is never followed */
  interchange: Interchange[];
  /** Parts that it consists of; empty if it is no kit */
  kit: KitComponent[];
  /** What could not be read now and is empty for that reason. Absent if nothing is missing */
  missing?: ("fitment" | "supersession" | "interchange" | "kit")[] | undefined;
}

export interface ZeroHitAnalytics {
  /** Beginning of the hours that are counted (inclusive) */
  from: string;
  /** Their end (exclusive): a period is widened to whole hours */
  to: string;
  /** When the latest event that is counted happened; null before the first */
  as_of: string | null;
  /** Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted */
  behind: number | null;
  searches: number;
  /** Those that found nothing */
  zeroHits: number;
  /** Of these, searches by filters alone */
  withoutText: SearchCount;
  /** Of these, searches that the lists of texts do not have: the first 200 different texts of an hour are kept apart, 24 times as many a day at most; of a period with more than 100000 different texts, rare ones are here too */
  others: SearchCount;
  /** Found nothing most often */
  queries: SearchedText[];
}

export const ROUTES: Record<string, Record<string, string>> = {
  cart: {
    save: "POST /api/cart ek cart",
    saveForCheckout: "POST /api/cart ek",
    get: "GET /api/cart/{cartId} er",
    remove: "DELETE /api/cart/{cartId} er",
    current: "GET /api/cart er cart",
    sync: "PUT /api/cart/sync ek cart",
    clear: "POST /api/cart/clear e cart",
    addItem: "POST /api/cart/items ek cart",
    setQuantity: "PATCH /api/cart/items/{productId} e cart",
    replaceItem: "POST /api/cart/items/{productId}/replace ek cart",
    getForUser: "GET /api/cart/user/{userId} er cart",
    replaceForUser: "PUT /api/cart/user/{userId} er cart",
    removeForUser: "DELETE /api/cart/user/{userId} er cart",
  },
  payment: {
    createCheckoutSession: "POST /api/checkout/session ek",
    quoteShipping: "POST /api/shipping/quotes er",
    createPaymentIntent: "POST /api/payment-intent ek",
    verify: "GET /api/payment/verify/{paymentIntentId} er",
  },
  order: {
    bySession: "GET /api/orders/by-session/{sessionId} er",
    byPayment: "GET /api/orders/by-payment/{paymentIntentId} er",
    get: "GET /api/orders/{orderId} er",
    listForUser: "GET /api/orders/user/{userId} er",
    exportForUser: "GET /api/orders/user/{userId}/export er",
    cancel: "POST /api/orders/{orderId}/cancel ek",
    adminList: "GET /api/admin/orders er",
    adminSearch: "POST /api/admin/orders/search er",
    adminStats: "GET /api/admin/orders/stats er",
    adminGet: "GET /api/admin/orders/{orderId} er",
    adminUpdate: "PATCH /api/admin/orders/{orderId} e",
    adminRefund: "POST /api/admin/orders/{orderId}/refunds ek",
    setShippingAddress: "PUT /api/orders/{orderId}/shipping-address er",
    adminShip: "POST /api/admin/orders/{orderId}/shipments ek",
    adminCorrectShipment: "PATCH /api/admin/orders/{orderId}/shipments/{shipmentId} e",
    adminDelay: "POST /api/admin/orders/{orderId}/delays ek",
    adminCancelLines: "POST /api/admin/orders/{orderId}/lines/cancel ek",
    adminNote: "POST /api/admin/orders/{orderId}/notes ek",
    adminRemoveNote: "DELETE /api/admin/orders/{orderId}/notes/{noteId} er",
    adminReturn: "POST /api/admin/orders/{orderId}/returns ek",
    adminReceiveReturn: "POST /api/admin/orders/{orderId}/returns/{returnId}/receipt ek",
    adminCancelReturn: "POST /api/admin/orders/{orderId}/returns/{returnId}/cancel ek",
    guestExport: "POST /api/admin/orders/guest-data/export er",
    guestErase: "POST /api/admin/orders/guest-data/erase e",
    adminHistory: "GET /api/admin/orders/{orderId}/history er",
    byLink: "GET /api/orders/by-link/{token} er",
    cancelByLink: "POST /api/orders/by-link/{token}/cancel ek",
    setAddressByLink: "PUT /api/orders/by-link/{token}/shipping-address er",
    invoiceByLink: "GET /api/orders/by-link/{token}/invoice.pdf rf",
    invoiceForOwner: "GET /api/orders/{orderId}/invoice.pdf rf",
    packingSlip: "GET /api/admin/orders/{orderId}/packing-slip.pdf rf",
    invoice: "GET /api/admin/orders/{orderId}/invoice.pdf rf",
    export: "GET /api/admin/export/orders rf",
    exportLines: "GET /api/admin/export/order-lines rf",
  },
  customer: {
    create: "POST /api/customers ek",
    get: "GET /api/customers/{id} er",
    createSetupIntent: "POST /api/customers/{id}/setup-intent ek",
    listPaymentMethods: "GET /api/customers/{id}/payment-methods er",
    removePaymentMethod: "DELETE /api/customers/{id}/payment-methods/{pmId} er",
    setDefaultPaymentMethod: "PUT /api/customers/{id}/default-payment-method er",
    export: "GET /api/admin/export/customers rf",
  },
  user: {
    me: "GET /api/users/me er",
    updateMe: "PATCH /api/users/me e",
    list: "GET /api/users er",
    search: "POST /api/users/search er",
    get: "GET /api/users/{id} er",
    update: "PATCH /api/users/{id} e",
  },
  access: {
    createKey: "POST /api/admin/keys ek",
    keys: "GET /api/admin/keys er",
    key: "GET /api/admin/keys/{keyId} er",
    revokeKey: "DELETE /api/admin/keys/{keyId} er",
    audit: "GET /api/admin/audit er",
    exportUser: "GET /api/users/{id}/export erf",
  },
  catalog: {
    import: "POST /catalog/import/{vendor} b catalog",
    imports: "GET /catalog/imports r catalog",
    importReport: "GET /catalog/imports/{importId} r catalog",
    importInterchange: "POST /catalog/interchange b catalog",
    interchange: "GET /catalog/interchange r catalog",
    removeInterchange: "DELETE /catalog/interchange r catalog",
    removeCrossReference: "DELETE /catalog/interchange/{id} r catalog",
    syncPage: "POST /catalog/{supplier}/sync - catalog",
    batchSync: "POST /catalog/{supplier}/batch-sync r catalog",
    refresh: "POST /catalog/refresh/{vendor} r catalog",
    sync: "GET /catalog/syncs/{syncId} r catalog",
    syncs: "GET /catalog/syncs r catalog",
    parts: "GET /parts/{vendor} r catalog",
    sitemap: "GET /api/sitemap r",
    sitemapPage: "GET /api/sitemap/{vendor} r",
    export: "GET /api/admin/export/parts rf",
    part: "GET /parts/{vendor}/{partNumber} r catalog",
    supersession: "GET /parts/{vendor}/{partNumber}/supersession r catalog",
    vendors: "GET /api/admin/vendors r",
    setVendor: "PUT /api/admin/vendors/{code} r",
    resetVendor: "DELETE /api/admin/vendors/{code} r",
    timetable: "GET /catalog/timetable r catalog",
    pauseJob: "POST /catalog/timetable/{job}/pause r catalog",
    resumeJob: "POST /catalog/timetable/{job}/resume r catalog",
  },
  search: {
    search: "GET /api/search r",
    filters: "GET /api/filters r",
    suggest: "GET /api/search/suggest r",
    instantsearch: "POST /api/search/instantsearch r",
    algoliaQueries: "POST /1/indexes/{indexes}/queries r",
    algoliaQuery: "POST /1/indexes/{indexName}/query r",
    algoliaFacet: "POST /1/indexes/{indexName}/facets/{facetName}/query r",
    algoliaObject: "GET /1/indexes/{indexName}/{objectID} r",
    algoliaObjects: "POST /1/indexes/{indexes}/objects r",
    ai: "GET /api/ai r",
    part: "GET /api/parts/{id} r",
    aiPart: "GET /api/ai/parts/{id} r",
    aiAvailability: "POST /api/ai/availability r",
    reindex: "POST /api/admin/search/reindex k",
    build: "GET /api/admin/search/builds/{buildId} r",
    builds: "GET /api/admin/search/builds r",
    indexes: "GET /api/admin/search/indexes r",
    rollback: "POST /api/admin/search/rollback k",
    synonyms: "GET /api/admin/search/synonyms r",
    setSynonyms: "PUT /api/admin/search/synonyms/{language} r",
    trySynonyms: "POST /api/admin/search/synonyms/{language}/trial r",
    resetSynonyms: "DELETE /api/admin/search/synonyms/{language} r",
  },
  eventstore: {
    store: "POST /store k eventstore",
    append: "POST /events k eventstore",
    list: "GET /events r eventstore",
    tail: "GET /events/stream rs eventstore",
    state: "GET /events/{aggregate_id}/state r eventstore",
    stats: "GET /events/stats r eventstore",
    deadLetters: "GET /admin/dead-letters r",
    replayDeadLetter: "POST /admin/dead-letters/{id}/replay -",
    dropDeadLetter: "DELETE /admin/dead-letters/{id} r",
    tasks: "GET /admin/tasks r",
    task: "GET /admin/tasks/{id} r",
    retryTask: "POST /admin/tasks/{id}/retry -",
    dropTask: "DELETE /admin/tasks/{id} r",
  },
  mail: {
    listForOrder: "GET /api/admin/orders/{orderId}/mails er",
    sendAgain: "POST /api/admin/orders/{orderId}/mails ek",
  },
  media: {
    put: "PUT /api/media rb",
    get: "GET /api/media/{id} rf",
    remove: "DELETE /api/media/{id} r",
  },
  analytics: {
    overview: "GET /api/analytics/overview r",
    orders: "GET /api/analytics/orders r",
    revenue: "GET /api/analytics/revenue r",
    conversion: "GET /api/analytics/conversion r",
    parts: "GET /api/analytics/parts r",
    searches: "GET /api/analytics/searches r",
    zeroHits: "GET /api/analytics/searches/zero-hits r",
    projections: "GET /api/analytics/projections r",
    exportSearches: "GET /api/admin/export/searches rf",
    rebuild: "POST /api/analytics/rebuild r",
  },
  healthAnalytics: {
    overview: "GET /api/health-analytics/overview r",
    nodes: "GET /api/health-analytics/nodes r",
    node: "GET /api/health-analytics/nodes/{nodeId} r",
    entryPoints: "GET /api/health-analytics/entry-points r",
    latency: "GET /api/health-analytics/latency r",
    queues: "GET /api/health-analytics/queues r",
    incidents: "GET /api/health-analytics/incidents r",
  },
  ai: {
    equipment: "GET /api/ai/equipment r",
    diagrams: "GET /api/ai/diagrams r",
    manuals: "GET /api/manuals r",
    manualPage: "GET /api/manuals/{sha256}/pages/{page} r",
    fitmentMakes: "GET /api/fitment/makes r",
    fitmentModels: "GET /api/fitment/models r",
    fitmentFigures: "GET /api/fitment/models/{model}/figures r",
    fitmentFigure: "GET /api/fitment/figures/{figure} r",
    query: "POST /api/ai/query -",
    queryStream: "POST /api/ai/query q",
    testChat: "GET /test-chat r ai",
  },
  pipeline: {
    upload: "POST /api/upload-pdf m",
    processBucket: "POST /api/process-bucket-pdfs k",
    jobs: "GET /api/jobs r",
    job: "GET /api/jobs/{batch_id} r",
    jobParts: "GET /api/jobs/{batch_id}/parts r",
    cancel: "DELETE /api/jobs/{batch_id} r",
    jobEvents: "GET /api/jobs/{batch_id}/events rs",
    overview: "GET /api/manuals/{sha256} r",
    correct: "PATCH /api/manuals/{sha256} -",
    remove: "DELETE /api/manuals/{sha256} r",
    source: "GET /api/manuals/{sha256}/source.pdf rf",
    image: "GET /api/manuals/{sha256}/images/{image} rf",
    table: "GET /api/manuals/{sha256}/tables/{table} rf",
    pageImage: "GET /api/manuals/{sha256}/pages/{page}.webp rf",
    pageText: "GET /api/manuals/{sha256}/pages/{page}.txt rf",
    pageFindings: "GET /api/manuals/{sha256}/pages/{page}/findings r",
  },
  webhook: {
    listEndpoints: "GET /api/admin/webhooks er",
    createEndpoint: "POST /api/admin/webhooks ek",
    getEndpoint: "GET /api/admin/webhooks/{endpointId} er",
    updateEndpoint: "PATCH /api/admin/webhooks/{endpointId} e",
    deleteEndpoint: "DELETE /api/admin/webhooks/{endpointId} er",
    rotateSecret: "POST /api/admin/webhooks/{endpointId}/secret ek",
    listDeliveries: "GET /api/admin/webhooks/{endpointId}/deliveries er",
    getDelivery: "GET /api/admin/webhooks/{endpointId}/deliveries/{messageId} er",
    sendTest: "POST /api/admin/webhooks/{endpointId}/test ek",
    replayDelivery: "POST /api/admin/webhooks/{endpointId}/deliveries/{messageId}/replay ek",
    replayDeliveries: "POST /api/admin/webhooks/{endpointId}/replay ek",
  },
};
