import { workerData } from "node:worker_threads";
import { answerRequests } from "@partline/toolkit";
import { OpenIndexes, type OpenIndexesData } from "./open-indexes.ts";

const indexes = new OpenIndexes(workerData as OpenIndexesData);

answerRequests(indexes, () => indexes.close());
