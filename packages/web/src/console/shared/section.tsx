import Card from "@mui/material/Card";
import CardContent from "@mui/material/CardContent";
import Typography from "@mui/material/Typography";
import { useId, type ReactNode } from "react";

interface SectionProps {
  title: string;
  /** One of many of the same kind is an article: no landmark. */
  component?: "section" | "article";
  children: ReactNode;
}

/** A part of a page with its heading. */
export function Section({ title, component = "section", children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <Card component={component} variant="outlined" aria-labelledby={id}>
      <CardContent>
        <Typography id={id} component="h2" variant="h6" gutterBottom sx={{ overflowWrap: "anywhere" }}>
          {title}
        </Typography>
        {children}
      </CardContent>
    </Card>
  );
}
