import { useCallback } from "react";
import { reactRouterProvider, type RouterProvider } from "react-admin";

const { useLocation, useNavigate } = reactRouterProvider;

/**
 * React-admin writes a filter into the address half a second after it was typed. A page that was left meanwhile may
 * still be shown, until the script of the next one is here: its query must not bring the person back.
 */
export const routerProvider: RouterProvider = {
  ...reactRouterProvider,
  useNavigate() {
    const navigate = useNavigate();
    const { pathname } = useLocation();
    return useCallback(
      (to, options) => {
        const isOwnQuery = typeof to === "object" && to.pathname === undefined;
        if (!isOwnQuery || location.pathname === pathname) navigate(to, options);
      },
      [navigate, pathname],
    );
  },
};
