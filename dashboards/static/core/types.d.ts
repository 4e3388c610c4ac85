// Shapes that several scripts share. Those of the REST interface are generated from service/openapi.json.
import type { components, paths } from "./rest.d.ts";

export type Schemas = components["schemas"];
export type Me = Schemas["IdentityResource"];

// ------------------------------------------------------------------ answers of the REST interface

export type Query = Record<string, unknown>;

// "studies/{name}/runs" as ["studies", string, "runs"]; so is the text that a script puts together.
type Steps<Path extends string> = Path extends `${infer Step}/${infer Rest}` ? [Kind<Step>, ...Steps<Rest>] : [Kind<Path>];
type Kind<Step extends string> = Step extends `{${string}}` ? string : Step;
type Routes = { [Path in keyof paths as Path extends `/api/v1/${infer Rest}` ? Rest : never]: paths[Path] };
type RouteOf<Path extends string, Method extends string> = Path extends string
  ? {
      [Route in keyof Routes]: Routes[Route] extends Record<Method, { responses: unknown }>
        ? Steps<Path> extends Steps<Route>
          ? Routes[Route][Method]["responses"]
          : never
        : never;
    }[keyof Routes]
  : never;

type Content<Response> = Response extends { content: infer Found } ? Found[keyof Found] : undefined;
type Answers<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204 ? Content<Responses[Status]> : never;
}[keyof Responses];

// What a route answers a method, by its path below /api/v1; unknown where there is no such route.
export type Answer<Path extends string, Method extends string = "get"> = [RouteOf<Path, Method>] extends [never]
  ? unknown
  : Answers<RouteOf<Path, Method>>;
export type Item<Path extends string> = Answer<Path> extends { items: (infer One)[] } ? One : unknown;

// Values of a REST route that come as an array of float32: row r, column c is values[r * columns.length + c].
export type Table = { shape: number[]; columns: string[]; units: string[]; asked: number; values: Float32Array };

// One event of the store, as the stream brings it.
export type StoreEvent = { study: string; kind: string };

// ------------------------------------------------------------------ elements

// What `h` and `svg` take as a child; nothing is made of null, undefined and false.
export type Child = Node | string | number | null | undefined | false | "" | Child[];

export type Listeners<Owner> = {
  [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name] & { currentTarget: Owner }) => unknown;
};

export type Attributes<Owner = Element> = {
  on?: Listeners<Owner>;
  data?: Record<string, unknown>;
  aria?: Record<string, unknown>;
  [name: string]: unknown;
};

// A part of a page that follows what changes.
export type Part = { element: HTMLElement; update: () => unknown };

// Short messages below the page's heading, see `notices`.
export type Notices = {
  region: HTMLElement;
  done: (text: string, actions: { undo: () => void; end?: () => void }) => HTMLElement;
  fault: (text: string) => void;
  settle: () => void;
};

// ------------------------------------------------------------------ numbers and parameters

export type Scale = { factor: number; unit: string };

// The JSON Schema of a parameter, with the words that back-ends add to it.
export type Schema = {
  type?: string;
  unit?: string | (string | null)[] | null;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  items?: Schema;
  prefixItems?: Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  usual?: [number, number];
  minItems?: number;
  maxItems?: number;
  item?: string | string[];
  label?: string;
  parts?: string[];
  // The parameter that has an item for each number; of such items, the unit by a choice in them: { kind: { prismatic: "m" } }.
  per?: string;
  units?: Record<string, Record<string, string>>;
  numerical?: boolean;
  groups?: [string, string[]][];
  option_names?: Record<string, Record<string, string>>;
};

// A parameter as a form shows it.
export type Field = {
  form: "choice" | "named" | "text" | "list" | "number";
  options: unknown[];
  integer: boolean;
  unit: string;
  description: string;
  schema: Schema;
};

// ------------------------------------------------------------------ figures

export type Point = number[];
export type Range = number[];

// A figure as plotly.js takes it, and a box in which plotly.js has drawn one: the edge to a library without types.
export type Trace = Record<string, any>;
export type Figure = {
  data: Trace[];
  layout: Record<string, any>;
  frames?: any[];
  caption?: string;
  summary?: string;
  posture?: Schemas["PostureResource"][];
  lines?: Schemas["NumberedLineResource"][];
  unsafe?: string[];
  remark?: string;
};
export type PlotBox = HTMLElement & {
  data?: Trace[];
  layout: Record<string, any>;
  on: (event: string, listener: (event: any) => void) => void;
};

// What the server hands a page for all figures: dashboards.figures.CONFIG and dashboards.palette.
export type PlotSettings = {
  config: object;
  lifted: Record<string, string>;
  colours: string[];
  dashes: string[];
  symbols: string[];
  ramp: string[];
};

export type Corner = { x: number; y: number; z: number };
export type Camera = { eye: Corner; center: Corner; up: Corner; projection?: { type: string } };

export type Align = "left" | "center" | "right";
export type TextLook = { colour: string; align?: Align; size?: number; bold?: boolean; turned?: boolean };
export type LineLook = { colour: string; width?: number; dash?: number[]; cap?: "butt" | "round"; opacity?: number };
export type MarkLook = { symbol: string; size: number; colour: string; edge?: string; opacity?: number };
export type Palette = { ink: string; quiet: string; grid: string; accent: string; paper: string };

// An axis of a scatter: between which values it runs, and which end is better (1: the greater one, -1: the smaller one).
// `log` says nothing where the values decide. A `fixed` axis shows its range in any case; else it ends at first where its
// `bulk` does, beyond which few values lie.
export type AxisOptions = {
  title: string;
  range: Range;
  better?: number;
  log?: boolean;
  options?: string[] | null;
  fixed?: boolean;
  bulk?: Range | null;
};

// Marks of one look. `background` marks are picked only where no other mark is; `text(number)` describes a mark.
export type MarkGroup = {
  name: string;
  columns: ArrayLike<number>[];
  colour: string;
  symbol: string;
  size: number;
  opacity?: number;
  // Of each mark, where they differ.
  colours?: string[];
  sizes?: number[];
  background?: boolean;
  listed?: boolean;
  data?: any[];
  meta?: string;
  label?: string;
  text?: (number: number) => string[];
  shares?: Float64Array[];
  symbols?: string[];
  // Whether its points have marks, may be pointed at, and are shown only once somebody asks for them.
  marked?: boolean;
  silent?: boolean;
  waits?: boolean;
  line?: LineStyle;
  bars?: Bars;
  tiles?: Tiles;
};
// Tiles of a map: left, right, lower and upper end of each, and its colour.
export type Tiles = { corners: number[][]; colours: string[]; opacity: number };
// How the points of a group are joined; `filled` is the opacity of the area within.
export type LineStyle = { width: number; dash: number[]; isStepped: boolean; filled: number; opacity: number };
// Bars `along` an axis (0 or 1) that begin at `from`, and how wide each is along the other; half the length of `errors`.
export type Bars = { along: number; from: number; wide: number[]; errors: number[]; opacity: number };
// `bands` colour parts of the first axis of a plane, from one value to another; `note` stands in the upper right corner.
export type Band = { from: number; to: number; colour: string };
// The colours of a quantity, as plotly.js takes them.
export type ColourScale = { colorscale: [number, string][]; cmin: number; cmax: number; colorbar: any };
// A line across the picture at a value of an axis (0 or 1), with what it says.
export type Rule = { axis: number; at: number; colour: string; dash: number[]; text: string };
export type ScatterFigure = {
  axes: AxisOptions[];
  groups: MarkGroup[];
  ideal: number[] | null;
  bands?: Band[];
  rules?: Rule[];
  scales?: ColourScale[];
  note?: { text: string; colour: string } | null;
};
export type LegendGroup = Pick<MarkGroup, "name" | "colour" | "symbol" | "size" | "listed" | "line">;

// A view of a scatter: the camera of a space, or the ends of both axes of a plane; null for all of it.
export type View = Camera | Range[] | null;

declare global {
  // plotly.js, of which only public functions are called; it is loaded once a figure is drawn.
  const Plotly: {
    react(box: HTMLElement, data: Trace[], layout: object, config: object): Promise<unknown>;
    purge(box: HTMLElement): void;
    Plots: { resize(box: HTMLElement): void };
  };
}
