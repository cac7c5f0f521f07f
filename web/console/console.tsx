import PendingActions from "@mui/icons-material/PendingActions";
import Insights from "@mui/icons-material/Insights";
import MonitorHeart from "@mui/icons-material/MonitorHeart";
import PriceChange from "@mui/icons-material/PriceChange";
import ReceiptLong from "@mui/icons-material/ReceiptLong";
import ReportProblem from "@mui/icons-material/ReportProblem";
import { lazy, type ReactNode } from "react";
import { Admin, CustomRoutes, Layout, memoryStore, Menu, Resource, type LayoutProps } from "react-admin";
import { BrowserRouter, Navigate, Route } from "react-router-dom";
import { authProvider } from "./auth-provider.ts";
import { Bar } from "./bar.tsx";
import { dataProvider } from "./data-provider.ts";
import { ScopesProvider, useMay } from "./may.ts";
import { DeadLetterList } from "./operations/dead-letters.tsx";
import { TaskList } from "./operations/tasks.tsx";
import { OrderList } from "./orders/list.tsx";
import { OrderShow } from "./orders/show.tsx";
import type { ConsoleData } from "./page-data.ts";
import { PriceFilePage } from "./price-files/page.tsx";
import { texts } from "./texts.ts";
import { dark, light } from "./theme.ts";

const store = memoryStore();
// They load chart.js.
const FiguresPage = lazy(() => import("./figures/page.tsx"));
const WatchingPage = lazy(() => import("./watching/page.tsx"));

function ConsoleMenu(): ReactNode {
  const may = useMay();
  return (
    <Menu>
      {may("orders:read") && <Menu.ResourceItem name="orders" />}
      {may("catalog:write") && (
        <Menu.Item to="/price-files" primaryText={texts.menu.priceFiles} leftIcon={<PriceChange />} />
      )}
      {may("analytics:read") && <Menu.Item to="/figures" primaryText={texts.menu.figures} leftIcon={<Insights />} />}
      {may("system:read") && (
        <Menu.Item to="/watching" primaryText={texts.menu.watching} leftIcon={<MonitorHeart />} />
      )}
      {may("system:read") && <Menu.ResourceItem name="dead-letters" />}
      {may("system:read") && <Menu.ResourceItem name="tasks" />}
    </Menu>
  );
}

// A wide table is scrolled in itself and makes no page wider.
const LAYOUT = { "& .RaLayout-content": { minWidth: 0 } };
const ConsoleLayout = (props: LayoutProps): ReactNode => (
  <Layout {...props} appBar={Bar} menu={ConsoleMenu} sx={LAYOUT} />
);

/** Everything that staff does. Each page is an address of its own, which a reload comes back to. */
export function Console({ data }: { data: ConsoleData }): ReactNode {
  return (
    <ScopesProvider value={data.user.scopes}>
      <BrowserRouter>
        <Admin
          title={`${texts.title} · ${data.shopName}`}
          dataProvider={dataProvider}
          authProvider={authProvider(data)}
          theme={light}
          darkTheme={dark}
          layout={ConsoleLayout}
          loginPage={false}
          disableTelemetry
          // In memory: a filter may be a buyer's address.
          store={store}
        >
          <Resource
            name="orders"
            options={{ label: texts.menu.orders }}
            icon={ReceiptLong}
            list={OrderList}
            show={OrderShow}
            recordRepresentation="orderNumber"
          />
          <Resource
            name="dead-letters"
            options={{ label: texts.menu.deadLetters }}
            icon={ReportProblem}
            list={DeadLetterList}
          />
          <Resource name="tasks" options={{ label: texts.menu.tasks }} icon={PendingActions} list={TaskList} />
          <CustomRoutes>
            <Route path="/price-files" element={<PriceFilePage />} />
            <Route path="/figures" element={<FiguresPage />} />
            <Route path="/watching" element={<WatchingPage />} />
            {!data.user.scopes.includes("orders:read") && <Route path="/" element={<Navigate to="/price-files" />} />}
          </CustomRoutes>
        </Admin>
      </BrowserRouter>
    </ScopesProvider>
  );
}
