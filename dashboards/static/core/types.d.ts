// Shapes that several scripts share. Those of the REST interface are generated from service/openapi.json.
import type { components } from "./rest.d.ts";

export type Schemas = components["schemas"];
export type Me = Schemas["IdentityResource"];

// What `h` and `svg` take as a child; nothing is made of null, undefined and false.
export type Child = Node | string | null | undefined | false | Child[];
export type Attributes = Record<string, any>;

export type Scale = { factor: number; unit: string };

export type Schema = Record<string, any>;

// A figure as plotly.js takes it, and a box in which plotly.js has drawn one.
export type Trace = Record<string, any>;
export type Figure = { data: Trace[]; layout: Record<string, any>; frames?: any[]; caption?: string; summary?: string };
export type PlotBox = HTMLElement & {
  data?: Trace[];
  layout: Record<string, any>;
  on: (event: string, listener: (event: any) => void) => void;
};

// Short messages below the page's heading, see `notices`.
export type Notices = {
  region: HTMLElement;
  done: (text: string, actions: { undo: () => void; end?: () => void }) => HTMLElement;
  fault: (text: string) => void;
  settle: () => void;
};

declare global {
  // What a selector finds is what the same script, or the page's template, has made.
  interface ParentNode {
    querySelector(selectors: string): any;
    querySelectorAll(selectors: string): NodeListOf<any>;
  }

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
