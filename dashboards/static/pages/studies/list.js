// Studies with how far they are, from the server: part by part, and those of some names.
import { all, get } from "../api.js";

const PART = 100;
export const MOST = 1000;

// Calls onPart(items, last, first) for each part until it returns false, all are there, or MOST are.
export async function load(search, archived, onPart) {
  let cursor;
  let shown = 0;
  do {
    const page = await get("overview", { search, archived, limit: PART, cursor });
    shown += page.items.length;
    const first = cursor === undefined;
    cursor = page.next;
    if (!onPart(page.items, !cursor, first)) return;
  } while (cursor && shown < MOST);
}

// The names of those that are listed, at most MOST, without what costs more.
export async function namesOf(search, archived) {
  return new Set((await all("studies", { search, archived }, MOST)).map((study) => study.name));
}

export async function loadNamed(names, search, archived) {
  const query = new URLSearchParams({ search, archived, limit: names.length });
  names.forEach((name) => query.append("name", name));
  return (await get(`overview?${query}`)).items;
}
