// What was typed survives a reload of the page; it is kept by the tab, for this address alone.
const key = `tautline-new${location.search}`;

const attempt = (f) => {
  try {
    return f();
  } catch {
    return null; // no storage here: nothing is kept
  }
};

export const remember = (text) => attempt(() => sessionStorage.setItem(key, text));
export const recall = () => attempt(() => JSON.parse(sessionStorage.getItem(key)));
export const forget = () => attempt(() => sessionStorage.removeItem(key));

// The same key for the same request, so that a study is made once however often it is sent.
export function requestKey(request) {
  const kept = attempt(() => JSON.parse(sessionStorage.getItem(`${key}-request`)));
  if (kept?.request === request) return kept.key;
  const made = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  attempt(() => sessionStorage.setItem(`${key}-request`, JSON.stringify({ request, key: made })));
  return made;
}
