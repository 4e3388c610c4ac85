// Draws the figures of a report, keeps them in the page's theme, and runs its few controls.
"use strict";
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const CONFIG = {
    responsive: true,
    displaylogo: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "tableRotation", "resetCameraLastSave3d"],
  };
  // Browsers drop the oldest of more than about sixteen WebGL drawings; we let go of hidden ones first.
  const MOST_SPACES = 8;
  const spaces = [];

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);

  function theme() {
    const page = getComputedStyle(document.body);
    const line = getComputedStyle(document.querySelector(".probe"));
    return { ink: page.color, paper: page.backgroundColor, grid: line.borderTopColor, raised: line.backgroundColor };
  }

  // A copy of the figure's layout with the page's colours.
  function themed(layout) {
    const colours = theme();
    const copy = structuredClone(layout);
    copy.font = { ...copy.font, color: colours.ink };
    copy.hoverlabel = {
      ...copy.hoverlabel,
      bgcolor: colours.raised,
      bordercolor: colours.grid,
      font: { ...copy.hoverlabel?.font, color: colours.ink },
    };
    copy.modebar = { bgcolor: "rgba(0,0,0,0)", color: colours.ink, activecolor: colours.ink };
    copy.legend = { ...copy.legend, bgcolor: "rgba(0,0,0,0)" };
    const paint = (axis) => Object.assign(axis, { gridcolor: colours.grid, linecolor: colours.grid, tickcolor: colours.grid });
    for (const [name, part] of Object.entries(copy)) {
      if (/^[xy]axis\d*$/.test(name)) paint(part);
      if (name === "scene") ["xaxis", "yaxis", "zaxis"].forEach((axis) => part[axis] && paint(part[axis]));
    }
    return copy;
  }

  const read = (id) => JSON.parse(document.getElementById(`data-${id}`).textContent);

  async function draw(box) {
    const figure = read(box.dataset.figure);
    const layout = themed(figure.layout);
    if (box.dataset.kind === "space" && box.layout?.scene?.camera) layout.scene.camera = box.layout.scene.camera;
    layout.uirevision = box.dataset.figure;
    if (box.dataset.kind === "space") remember(box);
    await Plotly.react(box, figure.data, layout, CONFIG);
    box.dataset.drawn = box.dataset.figure;
    box.removeAttribute("aria-busy");
  }

  function remember(box) {
    const known = spaces.indexOf(box);
    if (known >= 0) spaces.splice(known, 1);
    spaces.push(box);
    while (spaces.length > MOST_SPACES) {
      const hidden = spaces.find((other) => other !== box && !other.dataset.near) ?? spaces[0];
      spaces.splice(spaces.indexOf(hidden), 1);
      Plotly.purge(hidden);
      delete hidden.dataset.drawn;
    }
  }

  const boxes = [...document.querySelectorAll(".plot")];
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) {
          delete entry.target.dataset.near;
          continue;
        }
        entry.target.dataset.near = "yes";
        if (!entry.target.dataset.drawn) draw(entry.target);
      }
    },
    { rootMargin: "300px" },
  );
  boxes.forEach((box) => watcher.observe(box));

  const redraw = () => boxes.filter((box) => box.dataset.drawn).forEach(draw);

  const toggle = document.getElementById("theme");
  const nameToggle = () => {
    toggle.textContent = isDark() ? "Light" : "Dark";
    toggle.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
  };
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("tautline-theme", root.dataset.theme);
    } catch {
      // not kept for the next time
    }
    nameToggle();
    redraw();
  });
  system.addEventListener("change", () => {
    nameToggle();
    redraw();
  });
  nameToggle();

  // Buttons that choose which design a 3D view shows; the caption follows.
  for (const group of document.querySelectorAll(".choice")) {
    const view = group.closest(".view");
    const buttons = [...group.querySelectorAll("button")];
    group.addEventListener("click", (event) => {
      const chosen = event.target.closest("button");
      if (!chosen) return;
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));
      const box = view.querySelector(".plot");
      box.dataset.figure = chosen.dataset.figure;
      view.querySelectorAll("[data-caption]").forEach((caption) => {
        caption.hidden = caption.dataset.caption !== chosen.dataset.figure;
      });
      draw(box);
    });
  }

  const save = document.getElementById("save-study");
  save.hidden = false;
  save.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([document.getElementById("study-file").textContent], { type: "text/plain" }));
    link.download = save.dataset.name;
    link.click();
    URL.revokeObjectURL(link.href);
  });

  // Paper is light and shows everything.
  let before;
  addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    root.dataset.theme = "light";
    document.querySelectorAll("details").forEach((part) => (part.open = true));
    boxes.forEach(draw);
  });
  addEventListener("afterprint", () => {
    if (before) root.dataset.theme = before;
    else delete root.dataset.theme;
    redraw();
  });
})();
