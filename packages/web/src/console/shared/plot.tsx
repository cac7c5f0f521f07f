import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
  type ChartConfiguration,
} from "chart.js";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { texts } from "../texts.ts";
import { count } from "./format.ts";
import { FiguresTable } from "./figures-table.tsx";
import { Section } from "./section.tsx";

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

interface PlotProps {
  title: string;
  type: "bar" | "line";
  /** What the labels are. */
  axis: string;
  labels: string[];
  /** At most two. */
  sets: readonly { label: string; values: (number | null)[] }[];
  /** What it shows, in words. */
  description: string;
  isHorizontal?: boolean;
}

const HEIGHT = "15rem";

/** A plot, and its values as a table for who reads or hears them. */
export function Plot({ title, axis, description, ...figures }: PlotProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { labels, sets } = figures;
  return (
    <Section title={title}>
      <Canvas {...figures} description={description} />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{texts.values}</summary>
        {isOpen && (
          <FiguresTable
            label={`${title}: ${texts.values}`}
            figuresFrom={1}
            head={[axis, ...sets.map(({ label }) => label)]}
            rows={labels.map((label, index) => [label, ...sets.map(({ values }) => formatValue(values[index]))])}
          />
        )}
      </details>
    </Section>
  );
}

const formatValue = (value: number | null | undefined): string => (value == null ? "–" : count(value));

type CanvasProps = Omit<PlotProps, "title" | "axis">;

function Canvas({ type, labels, sets, description, isHorizontal = false }: CanvasProps): ReactNode {
  const { palette } = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart>(undefined);
  useEffect(() => () => chart.current?.destroy(), []);
  useEffect(() => {
    const colors = [palette.primary.main, palette.warning.main];
    const axis = {
      beginAtZero: true,
      grid: { color: palette.divider },
      ticks: { color: palette.text.secondary, maxRotation: 0, autoSkipPadding: 16, precision: 0 },
    };
    const { data, options }: ChartConfiguration = {
      type,
      data: {
        labels,
        datasets: sets.map(({ label, values }, index) => ({
          ...{ label, data: values, pointRadius: type === "line" && values.length < 3 ? 3 : 0 },
          ...{ backgroundColor: colors[index]!, borderColor: colors[index]!, borderWidth: type === "line" ? 2 : 0 },
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        indexAxis: isHorizontal ? "y" : "x",
        interaction: { mode: "index", intersect: false },
        scales: { x: axis, y: axis },
        plugins: { legend: { display: sets.length > 1, labels: { color: palette.text.secondary, boxWidth: 12 } } },
      },
    };
    if (!chart.current) {
      chart.current = new Chart(canvas.current!, { type, data, options: options! });
      return;
    }
    chart.current.data = data;
    chart.current.options = options!;
    chart.current.update("none");
  }, [type, labels, sets, isHorizontal, palette]);
  return (
    <Box sx={{ position: "relative", height: HEIGHT, minWidth: 0 }}>
      <canvas ref={canvas} role="img" aria-label={description} />
    </Box>
  );
}
