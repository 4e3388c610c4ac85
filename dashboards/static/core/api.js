// Requests to the REST interface, whether the server answers, and the account of the user.

// Whether the server answers. Every request reports it here; the banner of the page follows.
/** @import { Me, Schemas } from "./types.js" */
const listeners = new Set();
let state = true;

export const online = {
  get: () => state,
  /** @param {boolean} now */
  set(now) {
    if (now === state) return;
    state = now;
    listeners.forEach((listener) => listener(state));
  },
  // Calls listener(answers) at every change; returns a function that ends it.
  /** @param {(answers: boolean) => void} listener */
  listen(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

// ------------------------------------------------------------------ requests

const ROOT = "/api/v1/";
const UNAUTHORISED = 401;
const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

// What the server, or the way to it, said instead of an answer; status 0: no answer came.
export class ApiError extends Error {
  /** @param {number} status @param {{ detail?: string, title?: string, [key: string]: any }} problem */
  constructor(status, problem) {
    super(problem.detail || problem.title || `the server answered ${status}`);
    this.status = status;
    this.problem = problem;
  }

  // Faults with the place in what was sent: [{ detail, pointer }].
  get faults() {
    return this.problem.errors ?? [];
  }
}

/** @param {string} path */
export const address = (path, query = {}) => {
  const several = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const stated = several.filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(stated).toString();
  return ROOT + path + (text && `?${text}`);
};

// Parts of a path that come from people or the store.
export const pathPart = encodeURIComponent;

/** @param {string} path @param {RequestInit} options @param {Record<string, any>} [query] */
async function fetchAnswer(path, options, query) {
  try {
    const answer = await fetch(address(path, query), { credentials: "same-origin", ...options });
    online.set(true);
    return answer;
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    online.set(false);
    throw new ApiError(0, { detail: "the server does not answer" });
  }
}

// What is done when the session is over; resolves to whether somebody is logged in again.
/** @param {boolean} _sends */
let logInAgain = async (_sends) => false;

/** @param {(sends: boolean) => Promise<boolean>} handler */
export function onSessionEnd(handler) {
  logInAgain = handler;
}

/** @param {string} path */
async function request(path, /** @type {RequestInit} */ options = {}, query = {}) {
  let answer = await fetchAnswer(path, options, query);
  // The session is over: the page stays as it is, and the request is sent again after a login over it.
  if (answer.status === UNAUTHORISED && (await logInAgain(Boolean(options.method))))
    answer = await fetchAnswer(path, options, query);
  if (answer.ok || answer.status === NOT_MODIFIED) return answer;
  const problem = await answer.json().catch(() => ({}));
  throw new ApiError(answer.status, problem);
}

// Large answers that came before, by address: what did not change does not travel again.
const CACHED = 30;
const SMALLEST_CACHED = 20_000;
const cache = new Map();

/**
 * @param {string} path
 * @param {Record<string, any> | undefined} query
 * @param {AbortSignal | undefined} signal
 * @param {(answer: Response) => Promise<any>} read
 */
async function cached(path, query, signal, read) {
  const where = address(path, query);
  const before = cache.get(where);
  const answer = await request(
    path,
    before ? { signal, headers: { "If-None-Match": before.etag } } : { signal },
    query,
  );
  if (answer.status === NOT_MODIFIED) return before.content;
  const content = await read(answer);
  const etag = answer.headers.get("ETag");
  cache.delete(where);
  if (etag && (content.length ?? Infinity) > SMALLEST_CACHED) cache.set(where, { etag, content });
  if (cache.size > CACHED) cache.delete(cache.keys().next().value);
  return content;
}

/** @param {string} path @param {Record<string, any>} [query] @param {AbortSignal} [signal] */
export async function get(path, query, signal) {
  return JSON.parse(await cached(path, query, signal, (answer) => answer.text()));
}

// The answer with its ETag, which `send` takes back as `etag`.
/** @param {string} path @param {Record<string, any>} [query] */
async function getTagged(path, query) {
  const answer = await request(path, {}, query);
  return { body: await answer.json(), etag: answer.headers.get("ETag") };
}

/** @param {string} path @param {Record<string, any>} [query] */
export async function getText(path, query) {
  return (await request(path, {}, query)).text();
}

// Send a body: JSON, or TOML when it is a text. `key` makes a launch safe to send again; what is sent with
// `keepalive` arrives although the page is left.
/**
 * @param {string} method
 * @param {string} path
 * @param {any} body
 * @param {{ etag?: any, key?: string, query?: Record<string, any>, signal?: AbortSignal, keepalive?: any }} [options]
 */
export async function send(method, path, body, { etag, key, query, signal, keepalive } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined)
    headers["Content-Type"] = typeof body === "string" ? "application/toml" : "application/json";
  if (etag) headers["If-Match"] = etag;
  if (key) headers["Idempotency-Key"] = key;
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const answer = await request(path, { method, headers, body: text, signal, keepalive }, query);
  if (answer.status === NO_CONTENT) return undefined;
  const type = answer.headers.get("Content-Type") ?? "";
  return type.includes("json") ? answer.json() : answer.text();
}

// All items of a list that comes in parts, up to `most`.
/** @param {string} path */
export async function all(path, query = {}, most = Infinity) {
  const items = [];
  let cursor;
  do {
    const page = await get(path, { limit: 1000, ...query, cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < most);
  return items;
}

// An array of float32 with what its headers say of it: row r, column c is values[r * columns.length + c].
/** @param {string} path @param {Record<string, any>} [query] @param {AbortSignal} [signal] */
export function array(path, query, signal) {
  return cached(path, query, signal, async (answer) => {
    /** @param {string} name */
    const list = (name) => (answer.headers.get(name) ?? "").split(",").map(decodeURIComponent);
    const values = new Float32Array(await answer.arrayBuffer());
    const asked = Number(answer.headers.get("Tautline-Asked"));
    return {
      shape: list("Tautline-Shape").map(Number),
      columns: list("Tautline-Columns"),
      units: list("Tautline-Units"),
      asked,
      values,
    };
  });
}

// ------------------------------------------------------------------ who asks

// The account of the user and its rights; the server checks them again at every request.
let identity;

export const me = () => (identity ??= get("me"));

/** @param {Me} who */
export const writes = (who) => who.role !== "viewer" && who.scope !== "read";
/** @param {Me} who */
export const administers = (who) => who.role === "admin" && who.scope === "admin";
/** @param {Me} who @param {Schemas["StudySummary"]} study */
export const changes = (who, study) => administers(who) || (writes(who) && study.owner === who.account);
