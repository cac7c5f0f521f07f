// Made by `npm run docs` from the sources in src/.

// src/contract.ts
var ROUTES = {
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
    removeForUser: "DELETE /api/cart/user/{userId} er cart"
  },
  payment: {
    createCheckoutSession: "POST /api/checkout/session ek",
    quoteShipping: "POST /api/shipping/quotes er",
    createPaymentIntent: "POST /api/payment-intent ek",
    verify: "GET /api/payment/verify/{paymentIntentId} er"
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
    exportLines: "GET /api/admin/export/order-lines rf"
  },
  customer: {
    create: "POST /api/customers ek",
    get: "GET /api/customers/{id} er",
    createSetupIntent: "POST /api/customers/{id}/setup-intent ek",
    listPaymentMethods: "GET /api/customers/{id}/payment-methods er",
    removePaymentMethod: "DELETE /api/customers/{id}/payment-methods/{pmId} er",
    setDefaultPaymentMethod: "PUT /api/customers/{id}/default-payment-method er",
    export: "GET /api/admin/export/customers rf"
  },
  user: {
    me: "GET /api/users/me er",
    updateMe: "PATCH /api/users/me e",
    list: "GET /api/users er",
    search: "POST /api/users/search er",
    get: "GET /api/users/{id} er",
    update: "PATCH /api/users/{id} e"
  },
  access: {
    createKey: "POST /api/admin/keys ek",
    keys: "GET /api/admin/keys er",
    key: "GET /api/admin/keys/{keyId} er",
    revokeKey: "DELETE /api/admin/keys/{keyId} er",
    audit: "GET /api/admin/audit er",
    exportUser: "GET /api/users/{id}/export erf"
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
    export: "GET /api/admin/export/parts rf",
    part: "GET /parts/{vendor}/{partNumber} r catalog",
    supersession: "GET /parts/{vendor}/{partNumber}/supersession r catalog",
    vendors: "GET /api/admin/vendors r",
    setVendor: "PUT /api/admin/vendors/{code} r",
    resetVendor: "DELETE /api/admin/vendors/{code} r",
    timetable: "GET /catalog/timetable r catalog",
    pauseJob: "POST /catalog/timetable/{job}/pause r catalog",
    resumeJob: "POST /catalog/timetable/{job}/resume r catalog"
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
    resetSynonyms: "DELETE /api/admin/search/synonyms/{language} r"
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
    dropTask: "DELETE /admin/tasks/{id} r"
  },
  mail: {
    listForOrder: "GET /api/admin/orders/{orderId}/mails er",
    sendAgain: "POST /api/admin/orders/{orderId}/mails ek"
  },
  media: {
    put: "PUT /api/media rb",
    get: "GET /api/media/{id} rf",
    remove: "DELETE /api/media/{id} r"
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
    rebuild: "POST /api/analytics/rebuild r"
  },
  healthAnalytics: {
    overview: "GET /api/health-analytics/overview r",
    nodes: "GET /api/health-analytics/nodes r",
    node: "GET /api/health-analytics/nodes/{nodeId} r",
    entryPoints: "GET /api/health-analytics/entry-points r",
    latency: "GET /api/health-analytics/latency r",
    queues: "GET /api/health-analytics/queues r",
    incidents: "GET /api/health-analytics/incidents r"
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
    testChat: "GET /test-chat r ai"
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
    pageFindings: "GET /api/manuals/{sha256}/pages/{page}/findings r"
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
    replayDelivery: "POST /api/admin/webhooks/{endpointId}/deliveries/{messageId}/replay ek",
    replayDeliveries: "POST /api/admin/webhooks/{endpointId}/replay ek"
  }
};

// src/error.ts
var CODES = {
  400: "VALIDATION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "RATE_LIMITED",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE",
  504: "TIMEOUT"
};
var PartlineError = class extends Error {
  name = "PartlineError";
  code;
  /** HTTP status; 0 without an answer. */
  status;
  /** More about the code; of VALIDATION_FAILED every refused field as `{ field, message }`. */
  details;
  /** Finds the request in the server's logs. */
  requestId;
  /** Seconds. */
  retryAfter;
  constructor(code, message, { status = 0, details, requestId, retryAfter, cause } = {}) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
};
function isPartlineError(error, ...codes) {
  return error instanceof PartlineError && (codes.length === 0 || codes.includes(error.code));
}
function refusal(body, { status, headers }) {
  const { error, detail } = body ?? {};
  const seconds = Number(headers.get("Retry-After") ?? NaN);
  return new PartlineError(
    error?.code ?? (detail === void 0 ? void 0 : CODES[status]) ?? "UNEXPECTED_ANSWER",
    error?.message ?? detail ?? `The server answered ${status}`,
    {
      status,
      details: error?.details,
      requestId: headers.get("X-Request-Id") ?? void 0,
      retryAfter: seconds >= 0 ? seconds : void 0
    }
  );
}

// src/request.ts
function parseRoute(text2) {
  const [method, path, flags, entry] = text2.split(" ");
  return { method, path, flags, entry };
}
function requestOf({ method, path, flags }, params) {
  const rest = { ...params };
  const at = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = rest[name];
    delete rest[name];
    if (value === void 0 || value === null || ["", ".", ".."].includes(text(value)))
      throw new TypeError(`${name} must be a text other than "", "." and ".."`);
    return encodeURIComponent(text(value));
  });
  if (flags.includes("m")) return { target: at, body: formOf(rest) };
  if (flags.includes("b")) {
    const { body, contentType, ...query } = rest;
    const type = contentType ?? (body instanceof Blob ? body.type : "");
    return { target: at + queryOf(query), body, type: type || "application/octet-stream" };
  }
  if (method === "GET" || method === "DELETE") return { target: at + queryOf(rest) };
  return Object.keys(rest).length > 0 ? { target: at, body: JSON.stringify(rest), type: "application/json" } : { target: at };
}
function queryOf(params) {
  const query = new URLSearchParams(entriesOf(params)).toString();
  return query && `?${query}`;
}
function formOf(params) {
  const form = new FormData();
  for (const [name, value] of entriesOf(params)) form.append(name, value);
  return form;
}
function entriesOf(params) {
  return Object.entries(params).flatMap(
    ([name, given]) => [given].flat().filter((value) => value !== void 0).map((value) => [name, value instanceof Blob ? value : text(value)])
  );
}
function text(value) {
  return value instanceof Date ? value.toISOString() : String(value);
}

// src/server-sent-events.ts
async function* serverSentEvents(response, signal) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (; ; ) {
      const { done, value } = await reader.read().catch((cause) => {
        signal?.throwIfAborted();
        throw new PartlineError("NETWORK_ERROR", "The stream broke off", { cause });
      });
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) yield parse(block);
    }
  } finally {
    reader.cancel().catch(() => void 0);
  }
}
function parse(block) {
  const event = {};
  for (const line of block.split("\n")) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field) event[field] = event[field] === void 0 ? value : `${event[field]}
${value}`;
  }
  return event;
}

// src/client.ts
var PASSING = [429, 502, 503, 504];
var LONGEST_PAUSE_MS = 3e4;
var FIRST_PAUSE_MS = 250;
function createClient(options) {
  const { entryPoints = {}, retries = 2 } = options;
  async function send(route, params, call, more = {}) {
    const base = route.entry === void 0 ? options.baseUrl : entryPoints[route.entry];
    if (base === void 0) throw new TypeError(`entryPoints.${route.entry} is needed for ${route.path}`);
    const { target, body, type } = requestOf(route, params);
    const { signal } = call;
    const idempotencyKey = call.idempotencyKey ?? (route.flags.includes("k") ? newKey() : void 0);
    const repeats = route.flags.includes("r") || idempotencyKey !== void 0;
    for (let attempt = 0; ; attempt += 1) {
      const token = await valueOf(options.token);
      const given = {
        "Content-Type": type,
        Authorization: token && `Bearer ${token}`,
        "X-Admin-Token": await valueOf(options.adminToken),
        "X-Session-Id": await valueOf(options.sessionId),
        "Idempotency-Key": idempotencyKey,
        ...more,
        ...call.headers
      };
      const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
      const error = await (options.fetch ?? fetch)(base.replace(/\/+$/, "") + target, {
        method: route.method,
        headers,
        body: body ?? null,
        signal: signal ?? null
      }).then(
        async (response) => {
          options.onResponse?.(response);
          if (response.ok || response.status === 304) return response;
          return refusal(await response.json().catch(() => void 0), response);
        },
        (cause) => unanswered(cause, signal)
      );
      if (!(error instanceof PartlineError)) return error;
      const isRefused = error.status === 429 || error.code === "IDEMPOTENCY_KEY_IN_USE";
      const passes = isRefused || repeats && (error.status === 0 || PASSING.includes(error.status));
      const pauseMs = (error.retryAfter ?? 0) * 1e3 || FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random());
      if (!passes || attempt >= retries || pauseMs > LONGEST_PAUSE_MS) throw error;
      await pause(pauseMs, signal);
    }
  }
  async function ask(route, params, call) {
    const response = await send(route, params, call);
    if (route.flags.includes("f")) return response;
    const body = await response.json().catch((cause) => {
      throw unanswered(cause, call.signal);
    });
    return route.flags.includes("e") ? body.data : body;
  }
  async function* told(route, params, call) {
    const response = await send(route, params, call, { Accept: "text/event-stream" });
    for await (const { event, data } of serverSentEvents(response, call.signal)) {
      const value = JSON.parse(data);
      if (event === "error") throw refusal(value, { status: 503, headers: response.headers });
      yield { event, data: value };
      if (event === "answer") return;
    }
    throw unanswered(void 0, call.signal);
  }
  async function* follow(route, params, call) {
    let last;
    let pauseMs = 1e3;
    let failures = 0;
    for (; ; ) {
      try {
        const response = await send(route, params, call, { Accept: "text/event-stream", "Last-Event-ID": last });
        failures = 0;
        for await (const { id, data, retry } of serverSentEvents(response, call.signal)) {
          last = id ?? last;
          pauseMs = Number(retry ?? pauseMs);
          if (data !== void 0) yield JSON.parse(data);
        }
      } catch (error) {
        const passes = error instanceof PartlineError && (error.status === 0 || PASSING.includes(error.status));
        if (!passes || last === void 0) throw error;
        failures += 1;
      }
      await pause(Math.min(pauseMs * 2 ** failures, LONGEST_PAUSE_MS), call.signal);
    }
  }
  const functionOf = (text2) => {
    const route = parseRoute(text2);
    const run = route.flags.includes("q") ? told : route.flags.includes("s") ? follow : ask;
    return (params = {}, call = {}) => run(route, params, call);
  };
  return Object.fromEntries(
    Object.entries(ROUTES).map(([service, routes]) => [
      service,
      Object.fromEntries(Object.entries(routes).map(([name, text2]) => [name, functionOf(text2)]))
    ])
  );
}
function newKey() {
  return crypto.randomUUID?.();
}
async function valueOf(credential) {
  return typeof credential === "function" ? credential() : credential;
}
function unanswered(cause, signal) {
  signal?.throwIfAborted();
  return new PartlineError("NETWORK_ERROR", "There was no whole answer", { cause });
}
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
}
export {
  PartlineError,
  createClient,
  isPartlineError
};
