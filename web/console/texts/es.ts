import englishMessages from "ra-language-english";
import { en } from "./en.ts";
export const es = { ...en, ra: englishMessages.ra };
