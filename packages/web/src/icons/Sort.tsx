import { createSvgIcon } from "@mui/material/utils";

export default createSvgIcon(<path d="M3 18h6v-2H3zM3 6v2h18V6zm0 7h12v-2H3z" />, "Sort");
