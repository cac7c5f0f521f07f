/** At the root: a worker is in charge of the pages below its own address. */
export const WORKER_PATH = "/service-worker.js";
export const OFFLINE_PATH = "/offline";
