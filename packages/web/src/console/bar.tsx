import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import SvgIcon from "@mui/material/SvgIcon";
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

/** Stands for signing out on a phone, which has no room for the words. */
const LEAVE = "m17 7-1.4 1.4 2.6 2.6H8v2h10.2l-2.6 2.6L17 17l5-5zM4 5h8V3H4a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h8v-2H4z";

/** Twice its size on the page, for sharp screens. */
const LOGO = { width: 320, height: 64 };

function SignOut(): ReactNode {
  const { identity } = useGetIdentity();
  const logout = useLogout();
  return (
    <Button
      color="inherit"
      aria-label={texts.gate.signOut}
      title={identity?.fullName ?? ""}
      onClick={() => void logout()}
      sx={{ minWidth: { xs: "2.5rem", sm: "4rem" } }}
    >
      <SvgIcon sx={{ display: { sm: "none" } }}>
        <path d={LEAVE} />
      </SvgIcon>
      <Box component="span" sx={{ display: { xs: "none", sm: "inline" }, whiteSpace: "nowrap" }}>
        {texts.gate.signOut}
      </Box>
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
