import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useRef, type ReactNode } from "react";
import { useInput } from "react-admin";
import { toPicturePath } from "../../../../../mixins/shop/shop-facts.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { useAction } from "../shared/use-action.ts";
import { texts } from "../texts.ts";
import { useReadOnly } from "./use-read-only.ts";

const { settings: t } = texts;
const TYPES = "image/png,image/jpeg,image/webp,image/avif,image/gif";
/** Twice its size here, for sharp screens. */
const SHOWN = { width: 640, height: 160 };

interface LookProps {
  source: string;
  label: string;
  helperText: string;
}

/** A picture that is stored when it is chosen, and is the shop's once the form is saved. */
export function PictureInput({ source, label, helperText }: LookProps): ReactNode {
  const { field, fieldState } = useInput<string | null>({ source });
  const file = useRef<HTMLInputElement>(null);
  const { isPinned, readOnly } = useReadOnly(source);
  const mayChange = useMay()("media:write") && !readOnly;
  const { act, refusal, isBusy } = useAction(undefined);
  const image = (field.value as string | null) || null;
  const store = (chosen: File) => async () =>
    field.onChange((await partline.media.put({ body: chosen, contentType: chosen.type })).id);
  return (
    <Stack component="fieldset" spacing={1} sx={{ width: "100%", border: 0, m: 0, mb: 2, p: 0, alignItems: "start" }}>
      <Typography component="legend" variant="body2">
        {label}
      </Typography>
      {image !== null && (
        <Box
          component="img"
          src={toPicturePath(image, SHOWN)}
          alt={label}
          sx={{ maxWidth: "100%", maxHeight: 80, p: 1, bgcolor: "#fff", border: "1px solid #767f8d", borderRadius: 1 }}
        />
      )}
      {mayChange && (
        <Stack direction="row" spacing={1}>
          <Button variant="outlined" disabled={isBusy} onClick={() => file.current?.click()}>
            {image === null ? t.choosePicture(label) : t.replacePicture(label)}
          </Button>
          {image !== null && (
            <Button color="error" disabled={isBusy} onClick={() => field.onChange(null)}>
              {t.removePicture(label)}
            </Button>
          )}
        </Stack>
      )}
      <input
        ref={file}
        type="file"
        hidden
        accept={TYPES}
        aria-label={label}
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          // The same file can be chosen again.
          target.value = "";
          if (chosen) act(store(chosen));
        }}
      />
      <FormHelperText>{isPinned ? t.pinned : helperText}</FormHelperText>
      <Refusal error={refusal ?? fieldState.error?.message} />
    </Stack>
  );
}

/** What the shop has without a colour of its own. */
const STANDARD = "#0e5a45";

/** A colour, as text and by the browser's own choice. */
export function ColourInput({ source, label, helperText }: LookProps): ReactNode {
  const { field, fieldState } = useInput<string | null>({ source, validate: findColourFlaw });
  const { isPinned, readOnly } = useReadOnly(source);
  const colour = (field.value as string | null) ?? "";
  return (
    <TextField
      label={label}
      value={colour}
      placeholder={STANDARD}
      fullWidth
      error={fieldState.invalid}
      helperText={fieldState.error?.message ?? (isPinned ? t.pinned : helperText)}
      onChange={({ target }) => field.onChange(target.value.trim() || null)}
      onBlur={field.onBlur}
      slotProps={{
        htmlInput: { readOnly },
        inputLabel: { shrink: true },
        input: {
          endAdornment: (
            <input
              type="color"
              aria-label={t.chooseColour(label)}
              disabled={readOnly}
              value={findColourFlaw(colour) === undefined && colour !== "" ? colour : STANDARD}
              onChange={({ target }) => field.onChange(target.value)}
            />
          ),
        },
      }}
    />
  );
}

function findColourFlaw(colour: string | null | undefined): string | undefined {
  return !colour || /^#[0-9a-f]{6}$/i.test(colour) ? undefined : t.noColour;
}
