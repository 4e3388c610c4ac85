// Requests to the REST interface, whether the server answers, and the account of the user.

// Whether the server answers. Every request reports it here; the banner of the page follows.
/** @import { Answer, Item, Me, Query, Schemas, Table } from "./types.js" */
/** @type {Set<(answers: boolean) => void>} */
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
const TOO_MANY = 429;
const PAUSE = 500;

// What the server, or the way to it, said instead of an answer; status 0: no answer came.
export class ApiError extends Error {
  /** @param {number} status @param {Partial<Schemas["ProblemDescription"]>} problem */
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

// What is shown of an error, and the status of a refused request; -1 of any other error.
/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
/** @param {unknown} error */
export const statusOf = (error) => (error instanceof ApiError ? error.status : -1);

/** @param {string} path @param {Query} [query] */
export const address = (path, query = {}) => {
  const stated = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat())
      if (value !== undefined && value !== null && value !== "") stated.append(name, String(value));
  const text = stated.toString();
  return ROOT + path + (text && `?${text}`);
};

// Parts of a path that come from people or the store.
export const pathPart = encodeURIComponent;

/** @param {string} name */
export const studyPath = (name) => /** @type {const} */ (`studies/${pathPart(name)}`);

/** @param {string} path @param {RequestInit} options @param {Query} [query] */
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

/** @param {string} path @param {RequestInit} [options] @param {Query} [query] */
async function request(path, options = {}, query = {}) {
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
/** @type {Map<string, { etag: string, content: any }>} */
const cache = new Map();

/**
 * @template Content
 * @param {string} path
 * @param {Query | undefined} query
 * @param {AbortSignal | undefined} signal
 * @param {(answer: Response) => Promise<{ size: number, content: Content }>} read
 * @returns {Promise<Content>}
 */
async function cached(path, query, signal, read) {
  const where = address(path, query);
  const before = cache.get(where);
  const answer = await request(
    path,
    before ? { signal, headers: { "If-None-Match": before.etag } } : { signal },
    query,
  );
  if (before && answer.status === NOT_MODIFIED) return before.content;
  const { size, content } = await read(answer);
  const etag = answer.headers.get("ETag");
  cache.delete(where);
  if (etag && size > SMALLEST_CACHED) cache.set(where, { etag, content });
  const [oldest] = cache.keys();
  if (cache.size > CACHED && oldest !== undefined) cache.delete(oldest);
  return content;
}

// The answer of a route. Its type is that of the route, so paths are written out: `${studyPath(name)}/runs`.
/**
 * @template {string} Path
 * @param {Path} path
 * @param {Query} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer<Path>>}
 */
export async function get(path, query, signal) {
  const text = await cached(path, query, signal, async (answer) => {
    const content = await answer.text();
    return { size: content.length, content };
  });
  return JSON.parse(text);
}

/** @param {string} path @param {Query} [query] */
export async function getText(path, query) {
  return (await request(path, {}, query)).text();
}

// A file of the server, and what it says of it in a header of its own.
/** @param {string} path @param {Query} [query] @param {AbortSignal} [signal] */
export async function getFile(path, query, signal) {
  const answer = await request(path, { signal }, query);
  /** @type {string[]} */
  const warnings = JSON.parse(answer.headers.get("Tautline-Warnings") ?? "[]");
  return { content: await answer.blob(), warnings };
}

// Send a body: JSON, or TOML when it is a text. `key` makes a launch safe to send again; what is sent with
// `keepalive` arrives although the page is left.
/**
 * @template {"POST" | "PUT" | "PATCH" | "DELETE"} Method
 * @template {string} Path
 * @param {Method} method
 * @param {Path} path
 * @param {unknown} [body]
 * @param {{ key?: string, query?: Query, signal?: AbortSignal, keepalive?: boolean }} [options]
 * @returns {Promise<Answer<Path, Lowercase<Method>>>}
 */
export async function send(method, path, body, { key, query, signal, keepalive } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined)
    headers["Content-Type"] = typeof body === "string" ? "application/toml" : "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const answer = await request(path, { method, headers, body: text, signal, keepalive }, query);
  return answer.status === NO_CONTENT ? /** @type {any} */ (undefined) : answer.json();
}

// All items of a list that comes in parts, up to `most`.
/**
 * @template {string} Path
 * @param {Path} path
 * @param {Query} [query]
 * @returns {Promise<Item<Path>[]>}
 */
export async function all(path, query = {}, most = Infinity) {
  /** @type {Item<Path>[]} */
  const items = [];
  /** @type {string | null | undefined} */
  let cursor;
  do {
    /** @type {any} */
    const page = await get(path, { limit: 1000, ...query, cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < most);
  return items;
}

// An array of float32 with what its headers say of it: row r, column c is values[r * columns.length + c].
/** @param {string} path @param {Query} [query] @param {AbortSignal} [signal] @returns {Promise<Table>} */
export function array(path, query, signal) {
  return cached(path, query, signal, async (answer) => {
    /** @param {string} name */
    const list = (name) => (answer.headers.get(name) ?? "").split(",").map(decodeURIComponent);
    const values = new Float32Array(await answer.arrayBuffer());
    const content = {
      shape: list("Tautline-Shape").map(Number),
      columns: list("Tautline-Columns"),
      units: list("Tautline-Units"),
      asked: Number(answer.headers.get("Tautline-Asked")),
      values,
    };
    return { size: Infinity, content };
  });
}

// What `ask` brings. The server computes little for an account at a time, and goes on with what a page asked for that was
// left: while it refuses for that reason, it is asked again. Whoever gives up aborts the request of `ask`.
/** @template Found @param {() => Promise<Found>} ask @returns {Promise<Found>} */
export async function patiently(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (statusOf(error) !== TOO_MANY) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

// ------------------------------------------------------------------ who asks

// The account of the user and its rights; the server checks them again at every request.
/** @type {Promise<Me> | undefined} */
let identity;

export const me = () => (identity ??= get("me"));

/** @param {Me} who */
export const writes = (who) => who.role !== "viewer" && who.scope !== "read";
/** @param {Me} who */
export const administers = (who) => who.role === "admin" && who.scope === "admin";
/** @param {Me} who @param {{ owner: string }} study */
export const changes = (who, study) => administers(who) || (writes(who) && study.owner === who.account);
