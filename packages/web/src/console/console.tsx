import PendingActions from "@mui/icons-material/PendingActions";
import History from "@mui/icons-material/History";
import Insights from "@mui/icons-material/Insights";
import Inventory from "@mui/icons-material/Inventory";
import ManageAccounts from "@mui/icons-material/ManageAccounts";
import ManageSearch from "@mui/icons-material/ManageSearch";
import MenuBook from "@mui/icons-material/MenuBook";
import MonitorHeart from "@mui/icons-material/MonitorHeart";
import People from "@mui/icons-material/People";
import PriceChange from "@mui/icons-material/PriceChange";
import Queue from "@mui/icons-material/Queue";
import ReceiptLong from "@mui/icons-material/ReceiptLong";
import ReportProblem from "@mui/icons-material/ReportProblem";
import Settings from "@mui/icons-material/Settings";
import Storefront from "@mui/icons-material/Storefront";
import Stream from "@mui/icons-material/Stream";
import SwapHoriz from "@mui/icons-material/SwapHoriz";
import Sync from "@mui/icons-material/Sync";
import VpnKey from "@mui/icons-material/VpnKey";
import WarningAmber from "@mui/icons-material/WarningAmber";
import Webhook from "@mui/icons-material/Webhook";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { Children, lazy, useEffect, useRef, useState, type ReactNode } from "react";
import {
  Admin,
  CustomRoutes,
  Layout,
  memoryStore,
  Menu,
  Sidebar,
  Resource,
  useSidebarState,
  type LayoutProps,
  type SidebarProps,
} from "react-admin";
import { BrowserRouter, Navigate, Route, useLocation } from "react-router-dom";
import { authProvider } from "./auth-provider.ts";
import { Bar, ShopFaceProvider } from "./bar.tsx";
import { InterchangeList } from "./catalog/interchange.tsx";
import { LowStockPage } from "./catalog/low-stock.tsx";
import { PartCreate, PartEdit } from "./catalog/part-form.tsx";
import { PartList } from "./catalog/part-list.tsx";
import { PartShow } from "./catalog/part-show.tsx";
import { PurchasePage } from "./catalog/purchase-page.tsx";
import { PurchasesPage } from "./catalog/purchases.tsx";
import { SyncsPage } from "./catalog/syncs.tsx";
import { VendorsPage } from "./catalog/vendors.tsx";
import { dataProvider } from "./data-provider.ts";
import { AggregatePage } from "./events/aggregate.tsx";
import { EventsPage } from "./events/page.tsx";
import { i18nProvider } from "./i18n.ts";
import { AuditList } from "./keys/audit.tsx";
import { KeyCreate } from "./keys/create.tsx";
import { KeyList } from "./keys/list.tsx";
import { RolesPage } from "./keys/roles.tsx";
import { ManualList } from "./manuals/list.tsx";
import { ManualShow } from "./manuals/show.tsx";
import { ScopesProvider, useMay } from "./may.ts";
import { MissingScope } from "./missing-scope.tsx";
import { DeadLetterList } from "./operations/dead-letters.tsx";
import { TaskList } from "./operations/tasks.tsx";
import { OrderList } from "./orders/list.tsx";
import { HomePage } from "./orders/queues.tsx";
import { RefusedMailsPage } from "./orders/refused-mails.tsx";
import { OrderShow } from "./orders/show.tsx";
import type { ConsoleData } from "./page-data.ts";
import { findScope, PAGE_SCOPES } from "./page-scopes.ts";
import { UserList } from "./people/list.tsx";
import { UserShow } from "./people/show.tsx";
import { PriceFilePage } from "./price-files/page.tsx";
import { SearchPage } from "./search/page.tsx";
import { routerProvider } from "./router.ts";
import { SettingsPage } from "./settings/form.tsx";
import { texts } from "./texts.ts";
import { createThemes } from "./theme.ts";
import { WebhookCreate, WebhookEdit } from "./webhooks/form.tsx";
import { WebhookList } from "./webhooks/list.tsx";
import { WebhookShow } from "./webhooks/show.tsx";

const store = memoryStore();
// They load chart.js.
const FiguresPage = lazy(() => import("./figures/page.tsx"));
const WatchingPage = lazy(() => import("./watching/page.tsx"));

/** What a clerk works with, and what an engineer looks after. */
function ConsoleMenu(): ReactNode {
  const may = useMay();
  const maySee = (page: keyof typeof PAGE_SCOPES): boolean => may(PAGE_SCOPES[page]);
  return (
    <Menu>
      <MenuGroup label={texts.menuGroups.shop}>
        {maySee("orders") && <Menu.DashboardItem primaryText={texts.home.menu} />}
        {maySee("orders") && <Menu.ResourceItem name="orders" />}
        {maySee("users") && <Menu.ResourceItem name="users" />}
        {maySee("catalog-parts") && <Menu.ResourceItem name="catalog-parts" />}
        {maySee("low-stock") && (
          <Menu.Item to="/low-stock" primaryText={texts.menu.lowStock} leftIcon={<WarningAmber />} />
        )}
        {maySee("purchases") && <Menu.Item to="/purchases" primaryText={texts.menu.purchases} leftIcon={<Queue />} />}
        {maySee("price-files") && (
          <Menu.Item to="/price-files" primaryText={texts.menu.priceFiles} leftIcon={<PriceChange />} />
        )}
        {maySee("vendors") && <Menu.Item to="/vendors" primaryText={texts.menu.vendors} leftIcon={<Storefront />} />}
        {maySee("interchange") && <Menu.ResourceItem name="interchange" />}
        {maySee("manuals") && <Menu.ResourceItem name="manuals" />}
        {maySee("search") && <Menu.Item to="/search" primaryText={texts.menu.search} leftIcon={<ManageSearch />} />}
        {maySee("figures") && <Menu.Item to="/figures" primaryText={texts.menu.figures} leftIcon={<Insights />} />}
        {maySee("settings") && <Menu.Item to="/settings" primaryText={texts.menu.settings} leftIcon={<Settings />} />}
      </MenuGroup>
      <MenuGroup label={texts.menuGroups.system}>
        {maySee("watching") && (
          <Menu.Item to="/watching" primaryText={texts.menu.watching} leftIcon={<MonitorHeart />} />
        )}
        {maySee("syncs") && <Menu.Item to="/syncs" primaryText={texts.menu.syncs} leftIcon={<Sync />} />}
        {maySee("webhooks") && <Menu.ResourceItem name="webhooks" />}
        {maySee("keys") && <Menu.ResourceItem name="keys" />}
        {maySee("roles") && <Menu.Item to="/roles" primaryText={texts.menu.roles} leftIcon={<ManageAccounts />} />}
        {maySee("audit") && <Menu.ResourceItem name="audit" />}
        {maySee("event-log") && <Menu.Item to="/event-log" primaryText={texts.menu.events} leftIcon={<Stream />} />}
        {maySee("tasks") && <Menu.ResourceItem name="tasks" />}
        {maySee("dead-letters") && <Menu.ResourceItem name="dead-letters" />}
      </MenuGroup>
    </Menu>
  );
}

/** Entries of the menu under a heading, which a narrow sidebar hides; without entries nothing. */
function MenuGroup({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const [isOpen] = useSidebarState();
  if (Children.toArray(children).length === 0) return null;
  return (
    <Box role="group" aria-label={label}>
      {isOpen && (
        <Typography aria-hidden variant="overline" sx={{ display: "block", px: 2, pt: 1, color: "text.secondary" }}>
          {label}
        </Typography>
      )}
      {children}
    </Box>
  );
}

// A wide table is scrolled in itself and makes no page wider.
const NARROW = ["Layout-contentWithSidebar", "Layout-content", "List-main", "List-content", "Show-card"];
const LAYOUT = {
  minWidth: 0,
  [NARROW.map((name) => `& .Ra${name}`).join(", ")]: { minWidth: 0 },
  "& .RaLayout-content": { px: { xs: 1, sm: 2, lg: 3 }, pb: 4 },
};
function ConsoleLayout(props: LayoutProps): ReactNode {
  const { pathname } = useLocation();
  const may = useMay();
  const scope = findScope(pathname);
  const lastPath = useRef(pathname);
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    if (document.activeElement !== document.body) return;
    // The focus went with the page before.
    const content = document.getElementById("main-content");
    content?.setAttribute("tabindex", "-1");
    content?.focus();
  }, [pathname]);
  return (
    <Layout {...props} appBar={Bar} menu={ConsoleMenu} sidebar={ConsoleSidebar} sx={LAYOUT}>
      {scope === undefined || may(scope) ? props.children : <MissingScope scope={scope} />}
    </Layout>
  );
}

/**
 * A menu beside the page is another one than that over it: one that was open would keep the page hidden for readers.
 */
function ConsoleSidebar(props: SidebarProps): ReactNode {
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down("sm"), { noSsr: true });
  return <Sidebar key={String(isNarrow)} {...props} />;
}

/** Everything that staff does. Each page is an address of its own, which a reload comes back to. */
export function Console({ data }: { data: ConsoleData }): ReactNode {
  const { scopes } = data.user;
  const [themes] = useState(() => createThemes(data.primary));
  return (
    <ScopesProvider value={scopes}>
      <ShopFaceProvider value={data}>
        <BrowserRouter>
          <Admin
            title={`${texts.title} · ${data.shopName}`}
            dataProvider={dataProvider}
            i18nProvider={i18nProvider}
            authProvider={authProvider(data)}
            routerProvider={routerProvider}
            theme={themes.light}
            darkTheme={themes.dark}
            layout={ConsoleLayout}
            dashboard={scopes.includes("orders:read") ? HomePage : undefined}
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
              name="users"
              options={{ label: texts.menu.people }}
              icon={People}
              list={UserList}
              show={UserShow}
              recordRepresentation="userId"
            />
            <Resource
              // `/parts/{vendor}/{partNumber}` is the API.
              name="catalog-parts"
              options={{ label: texts.menu.parts }}
              icon={Inventory}
              list={PartList}
              show={PartShow}
              create={scopes.includes("catalog:write") ? PartCreate : undefined}
              edit={scopes.includes("catalog:write") ? PartEdit : undefined}
              recordRepresentation="partNumber"
            />
            <Resource
              name="interchange"
              options={{ label: texts.menu.interchange }}
              icon={SwapHoriz}
              list={InterchangeList}
            />
            <Resource
              name="manuals"
              options={{ label: texts.menu.manuals }}
              icon={MenuBook}
              list={ManualList}
              show={ManualShow}
              recordRepresentation="title"
            />
            <Resource
              name="dead-letters"
              options={{ label: texts.menu.deadLetters }}
              icon={ReportProblem}
              list={DeadLetterList}
            />
            <Resource name="tasks" options={{ label: texts.menu.tasks }} icon={PendingActions} list={TaskList} />
            <Resource
              name="webhooks"
              options={{ label: texts.menu.webhooks }}
              icon={Webhook}
              list={WebhookList}
              show={WebhookShow}
              create={scopes.includes("webhooks:write") ? WebhookCreate : undefined}
              edit={scopes.includes("webhooks:write") ? WebhookEdit : undefined}
              recordRepresentation="url"
            />
            <Resource
              name="keys"
              options={{ label: texts.menu.keys }}
              icon={VpnKey}
              list={KeyList}
              create={scopes.includes("keys:write") ? KeyCreate : undefined}
            />
            <Resource name="audit" options={{ label: texts.menu.audit }} icon={History} list={AuditList} />
            <CustomRoutes>
              <Route path="/price-files" element={<PriceFilePage />} />
              <Route path="/refused-mails" element={<RefusedMailsPage />} />
              <Route path="/low-stock" element={<LowStockPage />} />
              <Route path="/purchases" element={<PurchasesPage />} />
              <Route path="/purchases/:purchaseId" element={<PurchasePage />} />
              <Route path="/vendors" element={<VendorsPage />} />
              <Route path="/syncs" element={<SyncsPage />} />
              <Route path="/search" element={<SearchPage />} />
              <Route path="/figures" element={<FiguresPage />} />
              <Route path="/watching" element={<WatchingPage />} />
              <Route path="/event-log" element={<EventsPage />} />
              <Route path="/event-log/:aggregateId" element={<AggregatePage />} />
              <Route path="/settings/*" element={<SettingsPage />} />
              <Route path="/roles" element={<RolesPage />} />
              {!scopes.includes("orders:read") && <Route path="/" element={<Navigate to="/price-files" />} />}
            </CustomRoutes>
          </Admin>
        </BrowserRouter>
      </ShopFaceProvider>
    </ScopesProvider>
  );
}
