// A study as a tree of plain values, and places in it: a place is a list of keys.

export const at = (tree, place) => place.reduce((node, key) => node?.[key], tree);

// Put a value at a place; tables on the way are made.
export function put(tree, place, value) {
  let node = tree;
  for (const key of place.slice(0, -1)) {
    if (!isTable(node[key])) node[key] = {};
    node = node[key];
  }
  node[place.at(-1)] = value;
}

// Remove the value at a place, and tables that are empty then; a table with a name of its own may be empty.
const NAMED = new Set(["layouts", "variables", "constraints"]);

export function drop(tree, place) {
  const holder = at(tree, place.slice(0, -1));
  if (!isTable(holder)) return;
  delete holder[place.at(-1)];
  const above = place.slice(0, -1);
  if (above.length && !NAMED.has(above.at(-2)) && !Object.keys(holder).length) drop(tree, above);
}

// Give a key of a table another name, in its place among the others.
export function rename(tree, place, name) {
  const holder = at(tree, place.slice(0, -1));
  const old = place.at(-1);
  const entries = Object.entries(holder).map(([key, value]) => [key === old ? name : key, value]);
  Object.keys(holder).forEach((key) => delete holder[key]);
  entries.forEach(([key, value]) => (holder[key] = value));
}

export const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// Places as JSON pointers (RFC 6901), as the server reports faults.
const escaped = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");
export const pointerOf = (place) => place.map((key) => `/${escaped(key)}`).join("");
