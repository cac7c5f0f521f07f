import { createHash } from "node:crypto";
import { OFFLINE_PATH } from "./paths.ts";

/** What is used of the worker's global scope: TypeScript's library for workers excludes the one for pages. */
interface WorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: RequestEvent) => void): void;
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
}
interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}

/**
 * The whole worker, which a browser gets as text: it uses nothing from outside. Pages and what they need come from the
 * network. Only if there is none, `page` answers for every page, and what it needs comes from `files`.
 */
function work(scope: WorkerScope, cacheName: string, page: string, files: readonly string[]): void {
  const findKept = async (path: string): Promise<Response | undefined> => {
    const cache = await caches.open(cacheName);
    return cache.match(path, { ignoreVary: true });
  };
  const answer = async ({ request, preloadResponse }: RequestEvent, path: string): Promise<Response> => {
    try {
      return (await preloadResponse) ?? (await fetch(request));
    } catch (error) {
      const response = await findKept(path);
      if (response) return response;
      throw error;
    }
  };

  scope.addEventListener("install", (event) => {
    const keepFiles = async (): Promise<void> => {
      const cache = await caches.open(cacheName);
      // Styles are in the browser's cache already, and their names change with what they say.
      await cache.addAll([new Request(page, { cache: "reload" }), ...files]);
      await scope.skipWaiting();
    };
    event.waitUntil(keepFiles());
  });
  scope.addEventListener("activate", (event) => {
    const begin = async (): Promise<void> => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
      // A page is asked for while the worker still starts.
      await scope.registration.navigationPreload.enable();
    };
    event.waitUntil(begin());
  });
  scope.addEventListener("fetch", (event) => {
    const { method, mode, url } = event.request;
    if (method !== "GET") return;
    const { origin, pathname, search } = new URL(url);
    const path = origin === location.origin ? pathname + search : "";
    if (mode === "navigate") event.respondWith(answer(event, page));
    else if (files.includes(path)) event.respondWith(answer(event, path));
  });
}

/** Writes the worker that keeps an offline page, and replaces the one before as soon as that page differs. */
export function createWorker(offlinePage: string, files: readonly string[]): string {
  const cacheName = `offline-${createHash("sha256").update(offlinePage).digest("hex").slice(0, 16)}`;
  return `(${work.toString()})(self,${JSON.stringify(cacheName)},${JSON.stringify(OFFLINE_PATH)},${JSON.stringify(files)});`;
}
