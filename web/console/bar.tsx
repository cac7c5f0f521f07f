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
    <TitlePortal />
    <LanguageChoice />
  </AppBar>
);
