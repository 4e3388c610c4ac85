// Addresses of pages that others lead to.
import { part } from "./api.js";

// The review of a study, with a layout, or one of its designs, chosen.
export function reviewAddress(study, layout, key = "") {
  const chosen = new URLSearchParams({ layout, ...(key && { key }) });
  return `/studies/${part(study)}/review#${chosen}`;
}
