import englishMessages from "ra-language-english";
import { en } from "./en.ts";
export const de = { ...en, ra: englishMessages.ra };
