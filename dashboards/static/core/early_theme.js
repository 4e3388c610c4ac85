// Runs before anything is drawn, so that a chosen theme does not flash.
"use strict";
(() => {
  try {
    const chosen = localStorage.getItem("tautline-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // no storage: the system's preference applies
  }
})();
