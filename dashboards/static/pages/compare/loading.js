// A comparison and its figures, as the interface gives them, anew whenever one of its studies went on.
import { get } from "../api.js";
import { online } from "../online.js";
import { follow } from "../stream.js";

const PAUSE = 2000;

const query = (names) => new URLSearchParams(names.map((name) => ["of", name])).toString();

export const load = (names) => get(`comparison?${query(names)}`);
export const loadFigure = (names, figure) => get(`comparison/figures/${encodeURIComponent(figure)}?${query(names)}`);

// Calls renew() after events of these studies, at most every PAUSE; what fails while offline is done when back.
export function watch(names, renew) {
  let wanted = false;
  let busy = false;

  async function go() {
    if (busy || !wanted) return;
    busy = true;
    wanted = false;
    await renew().catch(() => (wanted = true));
    setTimeout(() => {
      busy = false;
      if (online.get()) go();
    }, PAUSE);
  }

  follow((event) => {
    if (!names.includes(event.study)) return;
    wanted = true;
    go();
  });
  online.listen((answers) => answers && go());
}
