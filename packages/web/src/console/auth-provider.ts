import { isPartlineError } from "@partline/client";
import type { AuthProvider } from "react-admin";
import type { ConsoleData } from "./page-data.ts";
import { texts } from "./texts.ts";

/** The session is a cookie that no script reads: the server said who it is, and says when it ends. */
export function authProvider({ user }: ConsoleData): AuthProvider {
  return {
    login: () => Promise.reject(new Error(texts.gate.signIn)),
    logout: () => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = "/session/sign-out";
      document.body.append(form);
      form.submit();
      return new Promise<never>(() => undefined);
    },
    checkAuth: () => Promise.resolve(),
    checkError: (error: unknown) => {
      if (!isPartlineError(error, "UNAUTHORIZED")) return Promise.resolve();
      // The page that it was on comes back after the sign-in.
      location.assign(`/session/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`);
      return new Promise<never>(() => undefined);
    },
    getIdentity: () => Promise.resolve({ id: user.id, fullName: user.email ?? user.id }),
    getPermissions: () => Promise.resolve(undefined),
  };
}
