/** What the pages' controls and notes show. Each is a constant of its own: a build takes those that are used. */
export const SEARCH = "M11 4.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.8 15.8L21 21";
export const ASK = "M4 5h16v11H9l-5 4zM8 9h8M8 12h5";
export const PERSON = "M12 4a4 4 0 100 8 4 4 0 000-8zM4 21c.6-4 3.8-6.5 8-6.5s7.4 2.5 8 6.5";
export const CART =
  "M3 4h2l2.4 11h10.2L20 7.5H6M9 18.2a1.3 1.3 0 100 2.6 1.3 1.3 0 000-2.6zM16.5 18.2a1.3 1.3 0 100 2.6 1.3 1.3 0 000-2.6z";
export const CHECK = "M4 12.5l5 5L20 6.5";
export const CLOSE = "M6 6l12 12M18 6L6 18";
export const PLUS = "M12 5v14M5 12h14";
export const MINUS = "M5 12h14";
export const CHEVRON_RIGHT = "M9 5l7 7-7 7";
export const CHEVRON_LEFT = "M15 5l-7 7 7 7";
export const CHEVRON_DOWN = "M5 9l7 7 7-7";
export const RETURN = "M4 9h11a5 5 0 010 10h-4M8 5L4 9l4 4";
export const TRUCK =
  "M2 6h11v10H2zM13 9h4l4 4v3h-8zM6.5 16a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6zM17 16a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6z";
export const STORE = "M4 10v10h16V10M3 10l2-6h14l2 6a3 3 0 01-6 0 3 3 0 01-6 0 3 3 0 01-6 0zM10 20v-5h4v5";
export const PHONE = "M5 3h4l2 5-2.5 2a12 12 0 005.5 5.5l2-2.5 5 2v4a2 2 0 01-2 2A16 16 0 013 5a2 2 0 012-2z";
export const CLOCK = "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5.5l3.5 2";
export const FILTERS = "M4 6h16M7 12h10M10 18h4";
export const LIST = "M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01";
export const GRID = "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z";
export const COMPARE = "M8 4v16M16 4v16M4 8h8M12 16h8M4 8l2-2M4 8l2 2M20 16l-2-2M20 16l-2 2";
export const DRAWING = "M4 3h11l5 5v13H4zM15 3v5h5M8 13h8M8 17h5";
export const PRINT = "M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z";
export const WARNING = "M12 4l9 16H3zM12 10v4.5M12 17.2h.01";
export const OFFLINE = "M7 18h9.5a4 4 0 001-7.9A6 6 0 006.2 9.4 4.3 4.3 0 007 18zM4 3.5l16 17";
export const ZOOM = "M11 4.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.8 15.8L21 21M11 8v6M8 11h6";
export const INFO = "M12 3a9 9 0 100 18 9 9 0 000-18zM12 11v5.5M12 7.7h.01";
export const LOCK = "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3M12 15v2";
export const MAIL = "M3 6h18v13H3zM3.5 7l8.5 6.5 8.5-6.5";
export const CARD = "M3 6h18v12H3zM3 10h18M7 15h4";
export const TOOL = "M14.5 6.5a4 4 0 015-3l-2.6 2.6 1.5 1.5 2.6-2.6a4 4 0 01-5.4 5L7 19.5a2 2 0 01-3-3l8.5-8.5z";
