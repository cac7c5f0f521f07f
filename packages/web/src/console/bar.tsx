import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { createContext, useContext, type ReactNode } from "react";
import { AppBar, TitlePortal, useGetIdentity, useLogout } from "react-admin";
import { Link } from "react-router-dom";
import { toPicturePath } from "../../../../mixins/shop/shop-facts.ts";
import { Mark } from "../shared/mark.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import type { ConsoleData } from "./page-data.ts";
import { texts } from "./texts.ts";

type ShopFace = Pick<ConsoleData, "shopName" | "logo">;
const ShopFaceContext = createContext<ShopFace>({ shopName: "", logo: null });
export const ShopFaceProvider = ShopFaceContext.Provider;

/** Twice its size on the page, for sharp screens. */
const LOGO = { width: 320, height: 64 };

function SignOut(): ReactNode {
  const { identity } = useGetIdentity();
  const logout = useLogout();
  return (
    <Button color="inherit" title={identity?.fullName ?? ""} onClick={() => void logout()}>
      {texts.gate.signOut}
    </Button>
  );
}

/** Renders the shop's logo, or its mark and name; a phone has room for the mark alone. */
function Brand(): ReactNode {
  const { shopName, logo } = useContext(ShopFaceContext);
  return (
    <Box
      component={Link}
      to="/"
      className="brand"
      aria-label={shopName}
      sx={{ color: "text.primary", "& .mark": { color: "primary.main" } }}
    >
      {logo === null ? <Mark /> : <img src={toPicturePath(logo, LOGO)} alt="" height={32} />}
      {logo === null && (
        <Box component="span" sx={{ display: { xs: "none", md: "inline" } }}>
          {shopName}
        </Box>
      )}
    </Box>
  );
}

export const Bar = (): ReactNode => (
  <AppBar color="inherit" userMenu={<SignOut />}>
    <Brand />
    {/* A phone has no room for it: the page's heading is seen there. */}
    <TitlePortal
      sx={{
        fontSize: "1rem",
        fontWeight: 500,
        letterSpacing: 0,
        color: "text.secondary",
        visibility: { xs: "hidden", sm: "visible" },
        "& > span": { display: "inline" },
      }}
    />
    <LanguageChoice />
  </AppBar>
);
