import type { Partline } from "@partline/client";
import { createContext, useContext } from "react";
import type { PageContext } from "./page.ts";
import type { Texts } from "./texts/en.ts";

export interface Shop extends PageContext {
  texts: Texts;
  /** The client; undefined on the server. */
  partline: Partline | undefined;
}

const ShopContext = createContext<Shop | undefined>(undefined);
export const ShopProvider = ShopContext.Provider;

export function useShop(): Shop {
  return useContext(ShopContext)!;
}

/** Returns the client after a click or in an effect: the server never gets there. */
export function usePartline(): Partline {
  return useShop().partline!;
}
