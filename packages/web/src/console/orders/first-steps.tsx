import type { FirstStep } from "@partline/client";
import CheckBox from "@mui/icons-material/CheckBox";
import CheckBoxOutlineBlank from "@mui/icons-material/CheckBoxOutlineBlank";
import MuiLink from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Section } from "../shared/section.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";

const t = texts.firstSteps;
const EVERY_MS = 30_000;

/** Where each step is done. */
const PAGES: Record<FirstStep["step"], string> = {
  shop: "/settings",
  policies: "/settings/returns",
  logo: "/settings/appearance",
  parts: "/price-files",
  stock: "/catalog-parts",
  shipping: "/settings/shipping-costs",
  sender: "/settings/mails",
  payment: "https://dashboard.stripe.com/apikeys",
};

/** What a new shop does before it opens, until all of it is done. */
export function FirstSteps(): ReactNode {
  const mayRead = useMay()("settings:read");
  const { data } = useReading(
    ["first-steps", mayRead],
    async (signal) => (mayRead ? (await partline.settings.firstSteps({}, { signal })).steps : []),
    { everyMs: EVERY_MS },
  );
  if (!data?.some(({ done }) => !done)) return null;
  return (
    <Section title={t.title}>
      <Typography sx={{ color: "text.secondary", mb: 1 }}>
        {t.describeProgress(data.filter(({ done }) => done).length, data.length)}
      </Typography>
      <Stack component="ol" spacing={0.5} sx={{ listStyle: "none", m: 0, p: 0 }}>
        {data.map(({ step, done }) => (
          <Stack key={step} component="li" direction="row" spacing={1} sx={{ alignItems: "center", minHeight: 32 }}>
            {done ? (
              <CheckBox color="success" titleAccess={t.done} />
            ) : (
              <CheckBoxOutlineBlank color="action" titleAccess={t.open} />
            )}
            <StepLink to={PAGES[step]}>{t.steps[step]}</StepLink>
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

function StepLink({ to, children }: { to: string; children: string }): ReactNode {
  return to.startsWith("/") ? (
    <MuiLink component={Link} to={to}>
      {children}
    </MuiLink>
  ) : (
    <MuiLink href={to} target="_blank" rel="noreferrer">
      {children}
    </MuiLink>
  );
}
