import { ErrorCode, type NatsError } from "nats";

const API_CODES = {
  noSuitablePeers: 10005,
  consumerNameTaken: 10013,
  noMessage: 10037,
  notEnabledForAccount: 10039,
  streamNameTaken: 10058,
  streamNotFound: 10059,
  replicasNeedCluster: 10074,
  notEnabled: 10076,
  consumerExists: 10148,
} as const;

export function hasApiCode(error: unknown, ...names: (keyof typeof API_CODES)[]): boolean {
  const code = (error as Partial<NatsError>).api_error?.err_code;
  return names.some((name) => API_CODES[name] === code);
}

/** Returns whether the server or its client refused what was published: nothing is lost. */
export function isRefusal(error: unknown): boolean {
  const { api_error, code } = error as Partial<NatsError>;
  return api_error !== undefined || code === ErrorCode.MaxPayloadExceeded;
}
