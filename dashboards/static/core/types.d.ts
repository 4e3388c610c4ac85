// Shapes that several scripts share. Those of the REST interface are generated from service/openapi.json.
import type { components } from "./rest.d.ts";

export type Schemas = components["schemas"];
export type Me = Schemas["IdentityResource"];
export type Metric = Schemas["MetricResource"];

// What `h` and `svg` take as a child; nothing is made of null, undefined and false.
export type Child = Node | string | null | undefined | false | Child[];
export type Attributes = Record<string, any>;

// A part of a page: its element, and how what it shows is renewed.
export type Part = { element: HTMLElement; update: (...values: any[]) => unknown };

export type Scale = { factor: number; unit: string };
export type Pixels = [number, number];
export type Vector = [number, number, number];
export type Named = { x: number; y: number; z: number };
export type Camera = { eye: Named; center: Named; up?: Named; projection?: object };
export type Ends = [number, number];

// A place in a study's definition, and a JSON Schema of a back-end's parameters.
export type Place = (string | number)[];
export type Schema = Record<string, any>;

// A figure as plotly.js takes it, and a box in which plotly.js has drawn one.
export type Trace = Record<string, any>;
export type Figure = { data: Trace[]; layout: Record<string, any>; frames?: any[]; caption?: string; summary?: string };
export type PlotBox = HTMLElement & {
  data?: Trace[];
  layout: Record<string, any>;
  on: (event: string, listener: (event: any) => void) => void;
};

// A study's figure over two or three axes, as `Scatter` draws it.
export type AxisOptions = { title: string; range: Ends; better?: number; log?: boolean; options?: string[] | null };
export type MarkStyle = { symbol: string; size: number; colour: string; edge?: string; opacity?: number };
export type Group = {
  name: string;
  columns: ArrayLike<number>[];
  colour: string;
  symbol: string;
  size: number;
  label?: string;
  meta?: string;
  opacity?: number;
  behind?: boolean;
  listed?: boolean;
  data: any[];
  text?: (number: number) => string[];
  shares?: Float64Array[];
};
export type ScatterFigure = { axes: AxisOptions[]; groups: Group[]; ideal: number[] | null };
export type LineStyle = { colour: string; width?: number; dash?: number[] };
export type TextStyle = {
  colour: string;
  align?: "center" | "left" | "right";
  size?: number;
  bold?: boolean;
  turned?: boolean;
};
export type Palette = { ink: string; quiet: string; grid: string; accent: string; paper: string };

declare global {
  // plotly.js, of which only public functions are called; it is loaded once a figure is drawn.
  const Plotly: {
    react(box: HTMLElement, data: Trace[], layout: object, config: object): Promise<unknown>;
    relayout(box: HTMLElement, changes: object): Promise<unknown>;
    restyle(box: HTMLElement, changes: object, traces: number[]): Promise<unknown>;
    purge(box: HTMLElement): void;
    downloadImage(figure: object, options: object): Promise<unknown>;
    Plots: { resize(box: HTMLElement): void };
  };
}
