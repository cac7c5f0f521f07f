const slug = decoded(location.pathname.split("/").at(-1));
// A slug is the title's words and the part's id.
const id = /(?:^|-)([a-z]{3}-[a-z0-9]+)$/.exec(slug)?.[1];

/** Nothing that has a slug is wrongly encoded. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const set = (name, text) => (document.getElementById(name).textContent = text);

function show(heading, text) {
  document.title = heading;
  set("heading", heading);
  set("state", text);
}

async function ask() {
  const response = await fetch(`/api/ai/parts/${encodeURIComponent(id)}`).catch(() => undefined);
  const part = response?.ok ? (await response.json()).part : undefined;
  if (part?.slug === slug) {
    show(part.title, part.supersededBy === null ? "" : `It is replaced by ${part.supersededBy}.`);
    set("number", part.partNumber);
    set("manufacturer", part.manufacturer.name);
    set(
      "price",
      part.price === null
        ? "not known"
        : part.price.toLocaleString(undefined, { style: "currency", currency: part.currency }),
    );
    set("availability", part.availability.replaceAll("_", " "));
    document.getElementById("part").hidden = false;
  } else if (response?.ok || response?.status === 404) {
    show("No such part", "The catalog has no part with this address.");
  } else {
    show("Part", "The catalog does not answer. Reload this page later.");
  }
}

if (id === undefined) show("No such part", "The catalog has no part with this address.");
else ask();
