// What every page has: the theme button, and a banner while the server does not answer.
import { get } from "./api.js";
import { byId } from "./dom.js";
import { startLoginPage } from "./login.js";
import { online } from "./online.js";
import { startTheme } from "./theme.js";

const AGAIN = 3000;
let timer;

const ask = () => get("me").catch(() => undefined);

startTheme();
startLoginPage();
online.listen((answers) => {
  byId("offline").hidden = answers;
  clearInterval(timer);
  if (!answers) timer = setInterval(ask, AGAIN);
});
addEventListener("online", ask);
addEventListener("offline", () => online.set(false));
