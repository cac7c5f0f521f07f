import { describe, expect, test } from "@jest/globals";
import { Errors } from "moleculer";
import { ERROR_CATALOGUE, PartlineError, type ErrorCode } from "../../../mixins/errors.ts";
import { errorBody, toHttpError } from "../../../gateway/errors.ts";
import { sendError } from "../../../gateway/response/error.ts";
import type { EdgeRequest } from "../../../gateway/request/edge-request.ts";

const secret = { action: "shop.get", nodeID: "node-7", service: "shop" };

describe("whatever is thrown", () => {
  test.each(Object.entries(ERROR_CATALOGUE))("%s has the catalogue's status", (code, { status }) => {
    expect(toHttpError(new PartlineError(code as ErrorCode, "words"))).toMatchObject({ code, status });
  });

  test.each([
    [new Errors.ServiceNotFoundError(secret), 503],
    [new Errors.ServiceNotAvailableError(secret), 503],
    [new Errors.BrokerDisconnectedError("node-7"), 503],
    [new Errors.RequestRejectedError(secret), 503],
    [new Errors.QueueIsFullError({ ...secret, size: 1, limit: 1 } as never), 503],
    [new Errors.RequestTimeoutError(secret), 504],
    [new Errors.RequestSkippedError(secret), 504],
    [new Errors.MaxCallLevelError({ nodeID: "node-7", level: 20 } as never), 500],
    [new Error("node-7 shop.get"), 500],
    [Object.assign(new Error("node-7"), { code: "ECONNREFUSED" }), 500],
    [Object.assign(new Error("node-7"), { code: "resource_missing", statusCode: 404 }), 500],
    ["shop.get", 500],
    [undefined, 500],
    [null, 500],
  ])("%p is %p, without a word of its own", (error, status) => {
    const answer = toHttpError(error, "shop.get");
    expect(answer.status).toBe(status);
    expect(JSON.stringify(errorBody(answer, "envelope"))).not.toMatch(/node-7|shop/);
    expect(answer.headers["Retry-After"]).toBe(status === 503 ? "1" : undefined);
    expect(answer.unexpected).toBe(status === 500);
  });

  test("a class that was lost between nodes changes nothing", () => {
    const lost = Object.assign(new Error("Order ord_1 not found"), { name: "PartlineError", code: "NOT_FOUND", type: "NOT_FOUND", data: undefined });
    expect(toHttpError(lost)).toMatchObject({ status: 404, message: "Order ord_1 not found" });
  });

  test("a refused param is 400 when the route's own action refused it, and a fault of ours when another did", () => {
    const finding = { type: "numberMin", field: "n", message: "The 'n' field must be greater than or equal to 1.", actual: 4242, expected: 1, ...secret };
    const error = new Errors.ValidationError("Parameters validation error!", "VALIDATION_ERROR", [finding]);
    expect(errorBody(toHttpError(error, "shop.get"), "envelope")).toEqual({
      success: false,
      error: { code: "VALIDATION_FAILED", message: finding.message, details: [{ field: "n", message: finding.message }] },
    });
    expect(toHttpError(error, "shop.list")).toMatchObject({ status: 500, unexpected: true });
  });
});

test("a fault of ours is logged once, with its stack and the request id, and without credentials or data", () => {
  const lines: { fields: object; message: string }[] = [];
  const written: unknown[] = [];
  const req = { exchange: { requestId: "req-1", routeLabel: "/api/a/{id}", headers: {} }, headers: {}, complete: true } as unknown as EdgeRequest;
  const res = { headersSent: false, writeHead: (...args: unknown[]) => written.push(args), end: (body: string) => written.push(body) };
  const error = Object.assign(new Error("cannot reach mongodb://admin:hunter2@db"), { data: { email: "ada@example.com" } });
  sendError(req, res as never, error, { error: (fields, message) => lines.push({ fields, message }) });
  expect(lines).toHaveLength(1);
  expect(lines[0]!.fields).toMatchObject({ requestId: "req-1", route: "/api/a/{id}" });
  expect(JSON.stringify(lines)).toContain("errors.test.ts");
  expect(JSON.stringify([lines, written])).not.toMatch(/hunter2|ada@/);
});
