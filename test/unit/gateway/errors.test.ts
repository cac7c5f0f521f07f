import { describe, expect, test } from "@jest/globals";
import { Errors } from "moleculer";
import { ERROR_CATALOGUE, PartlineError, type ErrorCode } from "../../../mixins/errors.ts";
import { DocumentStoreError } from "../../../packages/durable/src/document-store/port.ts";
import { EventLogError } from "../../../packages/durable/src/event-log/port.ts";
import { ObjectStoreError } from "../../../packages/durable/src/object-store/port.ts";
import { SearchIndexError } from "../../../packages/parts-search/src/search-index/port.ts";
import { createErrorBody, toHttpError } from "../../../gateway/http/errors.ts";
import { sendError } from "../../../gateway/http/response/error.ts";
import type { EdgeRequest } from "@partline/http-edge";

/** Of what may be tried again. */
const unavailable = { status: 503, headers: { "Retry-After": "1" }, unexpected: false };
const secret = { action: "shop.get", nodeID: "node-7", service: "shop" };

describe("an error of any kind", () => {
  test.each(Object.entries(ERROR_CATALOGUE))("%s has the catalogue's status", (code, { status }) => {
    expect(toHttpError(new PartlineError(code as ErrorCode, "words"))).toMatchObject({ code, status });
  });

  test.each([
    [new Errors.ServiceNotFoundError(secret), 503],
    [new Errors.ServiceNotAvailableError(secret), 503],
    [new Errors.BrokerDisconnectedError("node-7"), 503],
    [new Errors.RequestRejectedError(secret), 504],
    [new Errors.QueueIsFullError({ ...secret, size: 1, limit: 1 }), 503],
    [new Errors.RequestTimeoutError(secret), 504],
    [new Errors.RequestSkippedError(secret), 504],
    [new Errors.MaxCallLevelError({ nodeID: "node-7", level: 20 }), 500],
    [new Error("node-7 shop.get"), 500],
    [Object.assign(new Error("node-7"), { code: "ECONNREFUSED" }), 500],
    [Object.assign(new Error("node-7"), { code: "MAX_PAYLOAD_EXCEEDED" }), 413],
    [Object.assign(new Error("node-7"), { code: "MAX_PAYLOAD_EXCEEDED", nodeID: "node-7" }), 500],
    [Object.assign(new Error("node-7"), { code: "resource_missing", statusCode: 404 }), 500],
    ["shop.get", 500],
    [undefined, 500],
    [null, 500],
  ])("%p is %p, without a word of its own", (error, status) => {
    const answer = toHttpError(error, "shop.get");
    expect(answer.status).toBe(status);
    expect(JSON.stringify(createErrorBody(answer, "envelope"))).not.toMatch(/node-7|shop/);
    expect(answer.headers["Retry-After"]).toBe(status === 503 ? "1" : undefined);
    expect(answer.unexpected).toBe(status === 500);
  });

  test("too many requests differ from something that is not running, and from too many to what the path asks in turn", () => {
    const full = new Errors.QueueIsFullError(secret);
    expect(toHttpError(full, "shop.get").message).toBe(
      "Too many requests to this path are under way: try again in 1 second",
    );
    expect(toHttpError(full, "cart.get").message).toBe(
      "A part of the system that this needs has too many requests under way: try again in 1 second",
    );
    expect(toHttpError(new Errors.ServiceNotFoundError(secret), "shop.get").message).toBe(
      "A part of the system that this needs is not running",
    );
  });

  test("what one of our own services cannot do now is reported in its words, and a database's trouble is not", () => {
    expect(toHttpError(new PartlineError("SERVICE_UNAVAILABLE", "The search index does not answer"))).toMatchObject({
      message: "The search index does not answer",
      headers: { "Retry-After": "1" },
    });
    expect(toHttpError(new PartlineError("DATABASE_UNAVAILABLE", "node-7")).message).toBe(
      "The database is unavailable",
    );
  });

  test.each([
    [new DocumentStoreError("UNAVAILABLE", "node-7"), "DATABASE_UNAVAILABLE", "The database is unavailable"],
    [new EventLogError("UNAVAILABLE", "node-7"), "DATABASE_UNAVAILABLE", "The database is unavailable"],
    [new ObjectStoreError("UNAVAILABLE", "node-7"), "SERVICE_UNAVAILABLE", "The object store is unavailable"],
    [new SearchIndexError("UNAVAILABLE", "node-7"), "SERVICE_UNAVAILABLE", "The index that this needs is unavailable"],
  ] as const)("%s is reported as %s, also when its class was lost between nodes", (error, code, message) => {
    const lost = Object.assign(new Error(error.message), { name: error.name, code: error.code });
    for (const thrown of [error, lost]) expect(toHttpError(thrown)).toMatchObject({ ...unavailable, code, message });
  });

  test.each(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"])(
    "%s of a work file is a 503 that may be tried again, without the path",
    (code) => {
      const path = "/data/media-work/1";
      const told = toHttpError(Object.assign(new Error(`${code}: open '${path}'`), { code, path }));
      expect(told).toMatchObject({ ...unavailable, code: "SERVICE_UNAVAILABLE" });
      expect(JSON.stringify(told)).not.toContain("media-work");
    },
  );

  test("a store that went away in the middle of a write is not said to have changed nothing", () => {
    const unanswered = { status: 504, code: "TIMEOUT", message: "There was no answer in time" };
    for (const Thrown of [DocumentStoreError, EventLogError])
      expect(toHttpError(new Thrown("OUTCOME_UNKNOWN", "node-7"))).toMatchObject(unanswered);
  });

  test("an error is reported in the form of its route", () => {
    const error = toHttpError(new PartlineError("NOT_FOUND", "Part x not found"));
    const envelope = { success: false, error: { code: "NOT_FOUND", message: "Part x not found" } };
    expect(createErrorBody(error, "envelope")).toEqual(envelope);
    expect(createErrorBody(error, "message")).toEqual({ ...envelope, message: "Part x not found", status: 404 });
    expect(createErrorBody(error, "detail")).toEqual({ detail: "Part x not found" });
    const fault = toHttpError(new Error("node-7 broke"));
    expect([fault.status, createErrorBody(fault, "detail")]).toEqual([
      500,
      { detail: "Something went wrong on our side" },
    ]);
  });

  test("a class that was lost between nodes changes nothing", () => {
    const fields = { name: "PartlineError", code: "NOT_FOUND", type: "NOT_FOUND", data: undefined };
    const lost = Object.assign(new Error("Order ord_1 not found"), fields);
    expect(toHttpError(lost)).toMatchObject({ status: 404, message: "Order ord_1 not found" });
  });

  test("a refused param is 400 when the route's own action refused it, and a fault of ours when another did", () => {
    const finding = {
      type: "numberMin",
      field: "n",
      message: "The 'n' field must be greater than or equal to 1.",
      actual: 4242,
      expected: 1,
      ...secret,
    };
    const error = new Errors.ValidationError("Parameters validation error!", "VALIDATION_ERROR", [finding]);
    const { message } = finding;
    expect(createErrorBody(toHttpError(error, "shop.get"), "envelope")).toEqual({
      success: false,
      error: { code: "VALIDATION_FAILED", message, details: [{ field: "n", message }] },
    });
    expect(toHttpError(error, "shop.list")).toMatchObject({ status: 500, unexpected: true });
  });
});

test("a fault of ours is logged once, with its stack and the request id, and without credentials or data", () => {
  const lines: { fields: object; message: string }[] = [];
  const written: unknown[] = [];
  const req = {
    exchange: { requestId: "req-1", routeLabel: "/api/a/{id}", path: "/api/a/1", headers: {} },
    headers: {},
    complete: true,
  } as unknown as EdgeRequest;
  const res = {
    headersSent: false,
    writeHead: (...args: unknown[]) => written.push(args),
    end: (body: string) => written.push(body),
  };
  const error = Object.assign(new Error("cannot reach mongodb://admin:hunter2@db"), {
    data: { email: "ada@example.com" },
  });
  sendError(req, res as never, error, { error: (fields, message) => lines.push({ fields, message }) });
  expect(lines).toHaveLength(1);
  expect(lines[0]!.fields).toMatchObject({ request_id: "req-1", route: "/api/a/{id}" });
  expect(JSON.stringify(lines)).toContain("errors.test.ts");
  expect(JSON.stringify([lines, written])).not.toMatch(/hunter2|ada@/);
});
