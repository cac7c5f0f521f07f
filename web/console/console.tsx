import Inventory from "@mui/icons-material/Inventory";
import MenuBook from "@mui/icons-material/MenuBook";
import People from "@mui/icons-material/People";
import PendingActions from "@mui/icons-material/PendingActions";
import PriceChange from "@mui/icons-material/PriceChange";
import ReceiptLong from "@mui/icons-material/ReceiptLong";
import ManageSearch from "@mui/icons-material/ManageSearch";
import Storefront from "@mui/icons-material/Storefront";
import SwapHoriz from "@mui/icons-material/SwapHoriz";
import Sync from "@mui/icons-material/Sync";
import ReportProblem from "@mui/icons-material/ReportProblem";
import type { ReactNode } from "react";
import { Admin, CustomRoutes, Layout, memoryStore, Menu, Resource, type LayoutProps } from "react-admin";
import { BrowserRouter, Navigate, Route } from "react-router-dom";
import { authProvider } from "./auth-provider.ts";
import { Bar } from "./bar.tsx";
import { InterchangeList } from "./catalog/interchange.tsx";
import { PartList } from "./catalog/part-list.tsx";
import { PartShow } from "./catalog/part-show.tsx";
import { SyncsPage } from "./catalog/syncs.tsx";
import { VendorsPage } from "./catalog/vendors.tsx";
import { dataProvider } from "./data-provider.ts";
import { ManualList } from "./manuals/list.tsx";
import { ManualShow } from "./manuals/show.tsx";
import { ScopesProvider, useMay } from "./may.ts";
import { DeadLetterList } from "./operations/dead-letters.tsx";
import { TaskList } from "./operations/tasks.tsx";
import { OrderList } from "./orders/list.tsx";
import { OrderShow } from "./orders/show.tsx";
import type { ConsoleData } from "./page-data.ts";
import { UserList } from "./people/list.tsx";
import { UserShow } from "./people/show.tsx";
import { PriceFilePage } from "./price-files/page.tsx";
import { SearchPage } from "./search/page.tsx";
import { en } from "./texts/en.ts";
import { dark, light } from "./theme.ts";

const store = memoryStore();

function ConsoleMenu(): ReactNode {
  const may = useMay();
  return (
    <Menu>
      {may("orders:read") && <Menu.ResourceItem name="orders" />}
      {may("users:read") && <Menu.ResourceItem name="users" />}
      {may("catalog:read") && <Menu.ResourceItem name="catalog-parts" />}
      {may("catalog:read") && <Menu.Item to="/vendors" primaryText={en.menu.vendors} leftIcon={<Storefront />} />}
      {may("catalog:read") && <Menu.ResourceItem name="interchange" />}
      {may("catalog:read") && <Menu.Item to="/syncs" primaryText={en.menu.syncs} leftIcon={<Sync />} />}
      {may("catalog:write") && (
        <Menu.Item to="/price-files" primaryText={en.menu.priceFiles} leftIcon={<PriceChange />} />
      )}
      {may("manuals:read") && <Menu.ResourceItem name="manuals" />}
      {may("search:read") && <Menu.Item to="/search" primaryText={en.menu.search} leftIcon={<ManageSearch />} />}
      {may("system:read") && <Menu.ResourceItem name="dead-letters" />}
      {may("system:read") && <Menu.ResourceItem name="tasks" />}
    </Menu>
  );
}

/** A wide table scrolls by itself, and not the page. */
const NARROW = { minWidth: 0, "& .RaLayout-content": { minWidth: 0 } };

const ConsoleLayout = (props: LayoutProps): ReactNode => (
  <Layout {...props} appBar={Bar} menu={ConsoleMenu} sx={NARROW} />
);

/** Everything that staff does. Each page is an address of its own, which a reload comes back to. */
export function Console({ data }: { data: ConsoleData }): ReactNode {
  return (
    <ScopesProvider value={data.user.scopes}>
      <BrowserRouter>
        <Admin
          title={`${en.title} · ${data.shopName}`}
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
            options={{ label: en.menu.orders }}
            icon={ReceiptLong}
            list={OrderList}
            show={OrderShow}
            recordRepresentation="orderNumber"
          />
          <Resource
            name="users"
            options={{ label: en.menu.people }}
            icon={People}
            list={UserList}
            show={UserShow}
            recordRepresentation="userId"
          />
          <Resource
            // `/parts/{vendor}/{partNumber}` is the API.
            name="catalog-parts"
            options={{ label: en.menu.parts }}
            icon={Inventory}
            list={PartList}
            show={PartShow}
            recordRepresentation="partNumber"
          />
          <Resource
            name="interchange"
            options={{ label: en.menu.interchange }}
            icon={SwapHoriz}
            list={InterchangeList}
          />
          <Resource
            name="manuals"
            options={{ label: en.menu.manuals }}
            icon={MenuBook}
            list={ManualList}
            show={ManualShow}
            recordRepresentation="title"
          />
          <Resource
            name="dead-letters"
            options={{ label: en.menu.deadLetters }}
            icon={ReportProblem}
            list={DeadLetterList}
          />
          <Resource name="tasks" options={{ label: en.menu.tasks }} icon={PendingActions} list={TaskList} />
          <CustomRoutes>
            <Route path="/price-files" element={<PriceFilePage />} />
            <Route path="/vendors" element={<VendorsPage />} />
            <Route path="/syncs" element={<SyncsPage />} />
            <Route path="/search" element={<SearchPage />} />
            {!data.user.scopes.includes("orders:read") && <Route path="/" element={<Navigate to="/price-files" />} />}
          </CustomRoutes>
        </Admin>
      </BrowserRouter>
    </ScopesProvider>
  );
}
