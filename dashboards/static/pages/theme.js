// The page's colours, for what is drawn by scripts, and the button that switches them.
import { byId } from "./dom.js";

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();

export const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
export const onTheme = (listener) => listeners.add(listener);

export function colours() {
  const page = getComputedStyle(document.body);
  const line = getComputedStyle(document.querySelector(".probe"));
  return { ink: page.color, paper: page.backgroundColor, grid: line.borderTopColor, raised: line.backgroundColor };
}

export function startTheme() {
  const toggle = byId("theme");
  const changed = () => {
    toggle.textContent = isDark() ? "Light" : "Dark";
    toggle.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    listeners.forEach((listener) => listener());
  };
  toggle.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("tautline-theme", root.dataset.theme);
    } catch {
      // not kept for the next time
    }
    changed();
  });
  system.addEventListener("change", changed);
  toggle.hidden = false;
  changed();
}
