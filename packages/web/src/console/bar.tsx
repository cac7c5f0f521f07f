import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { AppBar, TitlePortal, useGetIdentity, useLogout } from "react-admin";
import { LanguageChoice } from "./language-choice.tsx";
import { texts } from "./texts.ts";

function SignOut(): ReactNode {
  const { identity } = useGetIdentity();
  const logout = useLogout();
  return (
    <Button color="inherit" title={identity?.fullName ?? ""} onClick={() => void logout()}>
      {texts.gate.signOut}
    </Button>
  );
}

export const Bar = (): ReactNode => (
  <AppBar userMenu={<SignOut />}>
    {/* A phone has room for half a title: it ends with dots, which a block of its own would not have. */}
    <TitlePortal sx={{ fontSize: { xs: "1rem", sm: "1.25rem" }, "& > span": { display: "inline" } }} />
    <LanguageChoice />
  </AppBar>
);
