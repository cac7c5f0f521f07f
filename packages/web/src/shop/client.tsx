import "../shared/base.css";
import "../shared/style.css";
import "./shop.css";
import { hydrateRoot } from "react-dom/client";
import { pageData, ROOT_ID } from "../shared/hydration.ts";
import type { Language } from "../shared/language.ts";
import { browserClient } from "../shared/partline.ts";
import { ShopPage, type PageData } from "./shop.tsx";
import type { Texts } from "./texts/en.ts";

const TEXTS: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import("./texts/en.ts")).en,
  de: async () => (await import("./texts/de.ts")).de,
  es: async () => (await import("./texts/es.ts")).es,
};

const { name, context, data } = pageData() as PageData;
const texts = await TEXTS[context.language]();
hydrateRoot(
  document.getElementById(ROOT_ID)!,
  <ShopPage name={name} data={data} shop={{ ...context, texts, partline: browserClient("cart") }} />,
);
