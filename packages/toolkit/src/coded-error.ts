/**
 * An error that callers distinguish by its `code`. Moleculer carries `type`, `data` and `retryable` between nodes;
 * `data` is for the caller, so it holds nothing secret.
 */
export class CodedError<C extends string = string> extends Error {
  override readonly name: string = "CodedError";
  readonly code: C;
  readonly type: C;
  readonly retryable: boolean;
  readonly data: unknown;

  constructor(
    code: C,
    message: string,
    data?: unknown,
    { retryable = false, ...options }: ErrorOptions & { retryable?: boolean } = {},
  ) {
    super(message, options);
    this.code = code;
    this.type = code;
    this.retryable = retryable;
    this.data = data;
  }
}
