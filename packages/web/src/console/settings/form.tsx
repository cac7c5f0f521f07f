import type { ReactNode } from "react";
import {
  ArrayInput,
  Edit,
  NumberInput,
  required,
  SaveButton,
  SelectInput,
  SimpleFormIterator,
  TabbedForm,
  TextInput,
  Toolbar,
  type TextInputProps,
} from "react-admin";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import { POLICIES } from "../../../../../mixins/shop/shop-facts.ts";
import { LANGUAGES } from "../../shared/language.ts";
import { useMay } from "../may.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { texts } from "../texts.ts";
import { ColourInput, PictureInput } from "./appearance.tsx";
import { useReadOnly } from "./use-read-only.ts";
import { ADD_BUTTON, Row, SenderFields, ShippingFields, StockFields } from "./policies.tsx";

const { settings: t } = texts;
const ZONES = "time-zones";

/** All tabs can be seen at once. The line below the chosen one is its own: that of a row slides over the others. */
const WRAPPED_TABS = {
  "& .MuiTabs-list": { flexWrap: "wrap" },
  "& .MuiTabs-indicator": { display: "none" },
  "& .MuiTab-root": { minWidth: 0, px: 1.5 },
  "& .MuiTab-root.Mui-selected": { boxShadow: "inset 0 -2px currentColor" },
};

/** What the shop says of itself. The environment's settings are shown, and are nobody's to change here. */
export function SettingsPage(): ReactNode {
  const mayChange = useMay()("settings:write");
  return (
    <>
      <HiddenHeading>{texts.menu.settings}</HiddenHeading>
      <Edit
        resource="settings"
        id="shop"
        title={texts.menu.settings}
        mutationMode="pessimistic"
        redirect={false}
        actions={false}
      >
        <TabbedForm
          sx={WRAPPED_TABS}
          toolbar={
            mayChange ? (
              <Toolbar>
                <SaveButton />
              </Toolbar>
            ) : (
              false
            )
          }
        >
          <TabbedForm.Tab label={t.shop}>
            <Fact source="shopName" label={t.shopName} validate={required()} />
            <Fact source="address" label={t.address} helperText={t.linesHint} multiline minRows={2} />
            <Row>
              <Fact source="phone" label={t.phone} type="tel" />
              <Fact source="email" label={t.email} type="email" />
            </Row>
            <Fact source="openingHours" label={t.openingHours} helperText={t.hoursHint} multiline minRows={2} />
            <GroupHeading>{t.onInvoices}</GroupHeading>
            <Fact source="legalName" label={t.legalName} helperText={t.legalNameHint} />
            <Fact source="taxIds" label={t.taxIds} helperText={t.taxIdsHint} multiline minRows={2} />
            <GroupHeading>{t.work}</GroupHeading>
            <Fact source="timeZone" label={t.timeZone} helperText={t.timeZoneHint} list={ZONES} validate={required()} />
            <datalist id={ZONES}>
              {Intl.supportedValuesOf("timeZone").map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
            <Fact source="workHours" label={t.workHours} helperText={t.workHoursHint} multiline minRows={2} />
            <Row>
              <Fact source="handlingDays" label={t.handlingDays} type="number" parse={toCount} validate={required()} />
              <Fact
                source="dealerDays"
                label={t.dealerDays}
                helperText={t.dealerDaysHint}
                type="number"
                parse={toCount}
                validate={required()}
              />
            </Row>
            <Fact
              source="newOrderMails"
              label={t.newOrderMails}
              helperText={t.newOrderMailsHint}
              validate={required()}
              select
            >
              {[...Object.entries(LANGUAGES), ["off", t.noMails]].map(([value, name]) => (
                <MenuItem key={value} value={value}>
                  {name}
                </MenuItem>
              ))}
            </Fact>
          </TabbedForm.Tab>
          <TabbedForm.Tab label={t.appearance} path="appearance">
            <PictureInput source="logo" label={t.logo} helperText={t.logoHint} />
            <PictureInput source="favicon" label={t.favicon} helperText={t.faviconHint} />
            <ColourInput source="colours.primary" label={t.primary} helperText={t.primaryHint} />
            <ColourInput source="colours.accent" label={t.accent} helperText={t.accentHint} />
          </TabbedForm.Tab>
          <TabbedForm.Tab label={t.mails} path="mails">
            <SenderFields />
          </TabbedForm.Tab>
          <TabbedForm.Tab label={t.stock} path="stock">
            <StockFields />
          </TabbedForm.Tab>
          <TabbedForm.Tab label={t.shippingCosts} path="shipping-costs">
            <ShippingFields />
          </TabbedForm.Tab>
          {POLICIES.map((name) => (
            <TabbedForm.Tab key={name} label={t.policies[name]} path={name}>
              {name === "returns" && <ReturnFields />}
              {Object.entries(LANGUAGES).map(([tag, language]) => (
                <Fact
                  key={tag}
                  source={`policies.${name}.${tag}`}
                  label={language}
                  helperText={t.policyHint}
                  multiline
                  minRows={4}
                />
              ))}
            </TabbedForm.Tab>
          ))}
          <TabbedForm.Tab label={t.pickupPlaces} path="pickup-places">
            <PlaceFields />
          </TabbedForm.Tab>
        </TabbedForm>
      </Edit>
    </>
  );
}

function GroupHeading({ children }: { children: string }): ReactNode {
  return (
    <Typography component="h2" variant="h6" sx={{ mt: 2, mb: 1 }}>
      {children}
    </Typography>
  );
}

const toCount = (text: string): number | null => (text === "" ? null : Number(text));

function PlaceFields(): ReactNode {
  const source = "pickupPlaces";
  const { isPinned, readOnly } = useReadOnly(source);
  // The record of its fields is the place.
  const slotProps = { htmlInput: { readOnly } };
  const lines = { fullWidth: true, multiline: true, minRows: 2, slotProps };
  return (
    <ArrayInput source={source} label={t.pickupPlaces} helperText={isPinned ? t.pinned : t.pickupPlacesHint}>
      <SimpleFormIterator fullWidth addButton={ADD_BUTTON} disableClear disableAdd={readOnly} disableRemove={readOnly}>
        <TextInput source="name" label={t.placeName} validate={required()} fullWidth slotProps={slotProps} />
        <TextInput source="address" label={t.address} helperText={t.linesHint} {...lines} />
        <TextInput source="hours" label={t.openingHours} helperText={t.hoursHint} {...lines} />
      </SimpleFormIterator>
    </ArrayInput>
  );
}

/** Terms on which buyers request a return. */
function ReturnFields(): ReactNode {
  const { isPinned, readOnly } = useReadOnly("returns");
  return (
    <>
      {isPinned && <p>{t.pinned}</p>}
      <NumberInput
        source="returns.days"
        label={t.returnDays}
        helperText={t.returnDaysHint}
        min={0}
        max={730}
        validate={required()}
        readOnly={readOnly}
      />
      <SelectInput
        source="returns.approval"
        label={t.returnApproval}
        choices={Object.entries(t.returnApprovals).map(([id, name]) => ({ id, name }))}
        validate={required()}
        readOnly={readOnly}
      />
      <NumberInput
        source="returns.fee"
        label={t.returnFee}
        helperText={t.returnFeeHint}
        min={0}
        validate={required()}
        readOnly={readOnly}
      />
    </>
  );
}

interface FactProps extends TextInputProps {
  /** Id of a `datalist`. */
  list?: string;
}

function Fact({ helperText, list, ...props }: FactProps): ReactNode {
  const { isPinned, readOnly } = useReadOnly(props.source);
  return (
    <TextInput
      fullWidth
      {...props}
      // As a disabled field, it would be too pale to read.
      slotProps={{ htmlInput: { list, readOnly } }}
      helperText={isPinned ? t.pinned : helperText}
    />
  );
}
