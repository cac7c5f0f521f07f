import { ANY_TYPE, array, boolean, integer, object, oneOf, rules, string } from "@partline/api-contracts";
import { defineService } from "../../broker/contract/define.ts";
import { fileAnswerRule, fileParams } from "../../broker/contract/file.ts";
import {
  ASKED_FORMATS,
  FITS,
  IMAGE_FORMATS,
  MAX_SIDE,
  toMediaType,
  RENDER_WITHIN_MS,
  RENDERERS,
  VARIANT_MODES,
} from "./limits.ts";
import { readyWithObjects } from "../shared/routes.ts";

const route = { entries: ["media", "gateway"], envelope: false } as const;
const types = IMAGE_FORMATS.map(toMediaType);

const idRule = string({
  pattern: /^[0-9a-f]{64}$/,
  words: "64 hexadecimal digits",
  description: "SHA-256 of the image as sent",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});
const sideRule = integer({ min: 1, max: MAX_SIDE, optional: true });
const countRule = integer();

const keptRules = rules({
  format: oneOf(IMAGE_FORMATS),
  bytes: countRule,
  sha256: string(),
});

export const mediaContract = defineService({
  name: "media",
  summary: "Images, and variants of them made on demand",
  actions: {
    put: {
      summary: "Store an image",
      description:
        "The body is the image: JPEG, PNG, WebP, AVIF or GIF by its content, regardless of the Content-Type, " +
        "at most 20 MB and 50 megapixels (of all frames together; an AVIF 16). It is turned upright and " +
        "stored without EXIF and other metadata. The same content gets the same answer.",
      params: { contentType: string() },
      result: object("Image", {
        id: idRule,
        url: string({
          format: "uri",
          description: "Under PUBLIC_URL if set, otherwise under this service's own address",
        }),
        type: oneOf(types),
        width: countRule,
        height: countRule,
        bytes: { ...countRule, description: "As it is kept" },
      }),
      errors: ["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "SERVICE_UNAVAILABLE"],
      audit: { object: "image", id: "id", report: ["type", "bytes"] },
      http: [
        {
          method: "PUT",
          path: "/api/media",
          scope: "media:write",
          ...route,
          access: "admin",
          body: "stream",
          consumes: [...types, ANY_TYPE],
        },
      ],
      bulkhead: { concurrency: 2 * RENDERERS, maxQueueSize: 32 },
      timeout: 3 * RENDER_WITHIN_MS,
    },

    get: {
      summary: "Get an image, or a variant of it",
      description:
        "Without parameters, returns the stored image. A variant is made at the first request and kept; its picture " +
        "is never larger than the original. For each client and each image, one variant is made at a time and " +
        "few requests wait; one more is SERVICE_UNAVAILABLE. With only `w` or `h`, the other follows. An " +
        "animation stays one as GIF and WebP; other formats have its first frame.",
      params: {
        id: idRule,
        w: { ...sideRule, example: 400, description: "Width in pixels" },
        h: { ...sideRule, example: 300, description: "Height in pixels" },
        fit: oneOf(FITS, {
          default: "inside",
          description:
            "With `w` and `h`: `inside` them, `cover` (cropped at the centre), `contain` (inside, with a border), " +
            "`fill` (distorted)",
        }),
        format: oneOf(ASKED_FORMATS, {
          optional: true,
          description: "Defaults to the original's. `auto` is AVIF or WebP if the Accept header allows it",
        }),
        ...fileParams,
      },
      result: { ...fileAnswerRule },
      errors: ["NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
      http: [
        {
          method: "GET",
          path: "/api/media/{id}",
          ...route,
          access: "none",
          answer: "file",
          produces: types,
        },
      ],
      timeout: 2 * RENDER_WITHIN_MS,
    },

    remove: {
      summary: "Delete an image and its variants",
      description: "The shop's logo and icon are refused (400): change the setting first.",
      params: { id: idRule },
      result: object({ deleted: boolean() }),
      errors: ["VALIDATION_FAILED", "NOT_FOUND"],
      audit: { object: "image", id: "id", report: ["deleted"] },
      http: [{ method: "DELETE", path: "/api/media/{id}", scope: "media:write", ...route, access: "admin" }],
      timeout: 30_000,
    },

    makeVariant: {
      summary: "Make a variant that does not exist yet",
      description:
        "The work behind `get`. A request for a missing image or for a variant under way waits here; a call is refused when too many wait.",
      params: {
        id: idRule,
        width: countRule,
        height: countRule,
        mode: oneOf(VARIANT_MODES),
        format: oneOf(IMAGE_FORMATS),
      },
      result: object(keptRules),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE", "TIMEOUT"],
      bulkhead: { concurrency: RENDERERS, maxQueueSize: 64 },
      timeout: 2 * RENDER_WITHIN_MS,
      idempotent: true,
    },

    has: {
      summary: "List which of these images are stored",
      params: { ids: array(idRule, { max: 1_000 }) },
      result: object({ ids: array(idRule) }),
      errors: [],
      idempotent: true,
    },

    putPhoto: {
      summary: "Keep a photo that a buyer sends with an order: reduced, for staff alone",
      params: { orderId: string() },
      result: object({ id: string() }),
      errors: ["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "SERVICE_UNAVAILABLE"],
      bulkhead: { concurrency: RENDERERS, maxQueueSize: 16 },
      timeout: 3 * RENDER_WITHIN_MS,
    },

    removePhoto: {
      summary: "Delete a buyer's photo of an order",
      params: { orderId: string(), photoId: string() },
      result: object({}),
      errors: ["SERVICE_UNAVAILABLE"],
    },

    getPhoto: {
      summary: "Get a buyer's photo of an order",
      description: "A JPEG of at most 1,600 pixels a side. It is erased with the buyer's data.",
      params: {
        orderId: string({ example: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }),
        photoId: string({ pattern: /^[0-9a-f]{64}$|^[0-9A-Z]{26}$/, words: "an id", example: "0".repeat(64) }),
        ...fileParams,
      },
      result: { ...fileAnswerRule },
      errors: ["NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
      http: [
        {
          method: "GET",
          path: "/api/admin/orders/{orderId}/photos/{photoId}",
          scope: "orders:read",
          ...route,
          access: "admin-token",
          answer: "file",
          produces: ["image/jpeg"],
        },
      ],
    },

    ready: readyWithObjects,
  },
});
